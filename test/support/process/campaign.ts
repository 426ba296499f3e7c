import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LiveTenant } from "../live-tenant";
import { root } from "../root";
import { eventually } from "./eventually";
import { at, type FlowNode, hook, NodeRed, page } from "./node-red";
import { userFolder, userFolderOfItsOwn } from "./user-folder";

/** The result of a call, as the flow received it. */
export interface CallResult {
  readonly id: string;
  /** The error's code, or `ok`. */
  readonly as: string;
  readonly outcome?: string;
  readonly sent?: string;
  readonly first?: string;
  readonly restored?: { readonly at: string; readonly left: readonly string[] };
  /** The message, as far as it is JSON. */
  readonly message: Readonly<Record<string, unknown>>;
}

/** A call to be placed: `id` becomes the id of its message. */
export interface Call {
  readonly id: string;
  readonly [property: string]: unknown;
}

export interface Counts {
  readonly paused: boolean;
  readonly waiting: { readonly callOut: number };
  readonly dropped: number;
  readonly [count: string]: unknown;
}

/** Results survive a kill, because the flow writes each to a file before it continues. */
const SETTINGS = `const { appendFileSync } = require("node:fs");
module.exports = {
  ...require("./settings.js"),
  runtimeSyncDelivery: process.env.SYNC_DELIVERY === "1",
  // On a busy machine, tests need longer than 15 seconds while another node delays a deploy.
  nodeCloseTimeout: 60_000,
  editorTheme: { tours: false },
  ...(process.env.READERS === "1" && {
    adminAuth: { type: "credentials", users: [], default: { permissions: ["*.read"] } },
  }),
  functionGlobalContext: { record: (line) => appendFileSync(__dirname + "/results.jsonl", JSON.stringify(line) + "\\n") },
};
`;

/** The properties that a flow adds to a call with \`odd\`: what is not JSON, and too much of it. */
const ODD = `m.round = { m }; m.speak = () => {}; m.payload.pdf = "x".repeat(100000); m.payload.list = new Map();`;

/**
 * A flow: POST /go with a list of calls places them; POST /hook places one, and answers when it has ended. POST /control takes a
 * command for the tenant, and GET /status answers what the node shows.
 */
export function campaignFlow(
  tenant: Record<string, unknown>,
  { tab = {}, node = {} }: { readonly tab?: object; readonly node?: Record<string, unknown> } = {},
): FlowNode[] {
  const code = (id: string, func: string, ...wires: string[][]) =>
    at(id, "function", { func, outputs: wires.length }, ...wires);
  const record = (as: string) =>
    `const { error: { code, cause = {} } = {}, req, res, error, pad, ...message } = msg;
global.get("record")({ id: msg._msgid, as: ${as}, outcome: cause.outcome, sent: cause.sent, first: cause.first && cause.first.outcome,
  restored: (msg.telephony || {}).restored, message });
if (!res) return null;
msg.payload = ${as};
return msg;`;
  const calls = `const calls = msg.payload.map(({ id, odd, pad, ...more }) => {
  const m = { payload: { id, ...more }, pad };
  if (odd) { ${ODD} }
  return m;
});
return [calls, { ...msg, payload: {} }];`;
  const call = {
    ...{ tenant: "tenant", target: "-", toNumber: "0000000000", toNumberType: "str" },
    ...{ toAlias: "payload.id", toAliasType: "msg", answerUrl: "https://example.com/answer", answerUrlType: "str" },
  };
  const credentials = { token: "token-of-the-campaign" };
  return [
    { id: "tab", type: "tab", label: "Campaign", ...tab },
    {
      // A call that is held is in flight for as long as another Node-RED needs to start.
      ...{ id: "tenant", type: "telephony-tenant", name: "Acme", fromNumber: "0000000001", timeout: "120" },
      ...{ credentials, ...tenant },
    },
    hook("/go", "calls"),
    code("calls", calls, ["named"], ["answer"]),
    hook("/hook", "named"),
    at("named", "change", { rules: [{ t: "set", p: "_msgid", pt: "msg", to: "payload.id", tot: "msg" }] }, ["call"]),
    { ...at("call", "call-out", call, ["ok"]), ...node },
    code("ok", record('"ok"'), ["answer"]),
    at("catch", "catch", { scope: ["call"] }, ["failed"]),
    code("failed", record("code"), ["answer"]),
    at("shown", "status", { scope: ["call"] }, ["seen"]),
    code("seen", `global.set("status", msg.status);`, []),
    page("/status", "status"),
    code("status", `msg.payload = global.get("status") || {}; return msg;`, ["answer"]),
    hook("/control", "command"),
    code("command", "msg.payload = msg.payload.command; return msg;", ["control"]),
    at("control", "telephony-control", { tenant: "tenant" }, ["answer"]),
    at("answer", "http response", {}),
  ];
}

/** A user folder whose Node-RED places calls, is stopped or killed, and is started again. */
export class Campaign {
  readonly folder: string;
  readonly #running = new Set<NodeRed>();

  static async create(): Promise<Campaign> {
    return new Campaign(await userFolder());
  }

  /** Creates one with ioredis, so that several Node-REDs may share their calls. */
  static async createWithRedis(folder?: string): Promise<Campaign> {
    const campaign = new Campaign(folder ?? (await userFolder()));
    const ioredis = join(campaign.folder, "node_modules", "ioredis");
    if (!existsSync(ioredis)) symlinkSync(join(root, "node_modules", "ioredis"), ioredis, "junction");
    return campaign;
  }

  /** Creates one in a folder of its own, beside others. */
  static async createBeside(): Promise<Campaign> {
    return Campaign.createWithRedis(await userFolderOfItsOwn());
  }

  private constructor(folder: string) {
    this.folder = folder;
    this.clear();
    writeFileSync(join(folder, "campaign-settings.js"), SETTINGS);
  }

  get telephonyFolder(): string {
    return join(this.folder, "telephony");
  }

  get #file(): string {
    return join(this.folder, "results.jsonl");
  }

  /** Removes flows, calls and recorded results. */
  clear(): void {
    for (const file of [
      this.telephonyFolder,
      this.#file,
      ...["flows.json", "flows_cred.json"].map((name) => join(this.folder, name)),
    ])
      rmSync(file, { recursive: true, force: true });
  }

  async start(env: NodeJS.ProcessEnv = {}): Promise<NodeRed> {
    return this.#keep(await NodeRed.start(this.folder, env, ...this.#options));
  }

  /** @param bytes the length that no file may exceed */
  async startOnSmallDisk(bytes: number): Promise<NodeRed> {
    return this.#keep(await NodeRed.startOnSmallDisk(this.folder, bytes, ...this.#options));
  }

  get #options(): string[] {
    return ["--settings", join(this.folder, "campaign-settings.js")];
  }

  #keep(nodeRed: NodeRed): NodeRed {
    this.#running.add(nodeRed);
    return nodeRed;
  }

  /** Kills all at the end of a test, passed or failed. None of them writes into the folder of the next one. */
  async killAll(): Promise<void> {
    const running = [...this.#running];
    this.#running.clear();
    for (const nodeRed of running) nodeRed.kill();
    await Promise.all(running.map(({ ended }) => ended));
  }

  /** All recorded results, in order. */
  get results(): readonly CallResult[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as CallResult);
  }

  /** By the id of the call; throws if one has two results. */
  get ends(): Readonly<Record<string, string>> {
    const ends: Record<string, string> = {};
    for (const { id, as } of this.results) {
      if (id in ends) throw new Error(`${id} has ended as ${ends[id]} and as ${as}`);
      ends[id] = as;
    }
    return ends;
  }

  async resultsOf(count: number): Promise<readonly CallResult[]> {
    return eventually(() => (this.results.length >= count ? this.results : undefined));
  }

  /** Changes the flow file, while Node-RED is stopped. */
  edit(change: (node: FlowNode) => FlowNode | undefined): void {
    const file = join(this.folder, "flows.json");
    const flows = (JSON.parse(readFileSync(file, "utf8")) as FlowNode[]).flatMap((node) => change(node) ?? []);
    writeFileSync(file, JSON.stringify(flows));
  }
}

/** A tenant and a campaign for a suite; each test begins without flows, calls and a running Node-RED. */
export function withCampaign(): { tenant: LiveTenant; campaign: Campaign } {
  const held = {} as { tenant: LiveTenant; campaign: Campaign };
  before(async () => {
    held.tenant = await LiveTenant.start();
    held.campaign = await Campaign.create();
  });
  beforeEach(() => {
    held.tenant.reset();
    held.campaign.clear();
  });
  afterEach(() => held.campaign?.killAll());
  after(() => {
    held.campaign?.clear();
    held.tenant?.stop();
  });
  return held;
}

/** Sends calls to the flow. */
export async function go(nodeRed: NodeRed, ...calls: (string | Call)[]): Promise<void> {
  const body = calls.map((call) => (typeof call === "string" ? { id: call } : call));
  const { status } = await nodeRed.post("/go", body);
  if (status !== 200) throw new Error(`The flow answered ${status}`);
}

export async function control(nodeRed: NodeRed, command: "pause" | "resume" | "drop" | "count"): Promise<Counts> {
  return (await nodeRed.post("/control", { command })).json() as Promise<Counts>;
}

/** Returns what the node shows. */
export async function shown(nodeRed: NodeRed): Promise<{ readonly fill?: string; readonly text?: string }> {
  return (await nodeRed.get("/status")).json() as Promise<{ readonly fill?: string; readonly text?: string }>;
}

/** The calls that have reached a tenant, in order. */
export function placed({ received }: LiveTenant): readonly string[] {
  return received.flatMap(({ method, text }) => {
    if (method !== "POST") return [];
    return [String((JSON.parse(text) as Record<string, unknown>)["to.alias"])];
  });
}

/** Waits until so many calls have reached the tenant. */
export async function placedAll(tenant: LiveTenant, count: number, limitMs?: number): Promise<readonly string[]> {
  return eventually(() => (placed(tenant).length >= count ? placed(tenant) : undefined), limitMs);
}

/** The log's lines that contain a text. */
export function logged(nodeRed: NodeRed, ...texts: readonly (string | RegExp)[]): readonly string[] {
  const has = (line: string) =>
    texts.every((text) => (typeof text === "string" ? line.includes(text) : text.test(line)));
  return nodeRed.log.split("\n").filter(has);
}

/** Waits until the log has a line that contains these texts, and checks that it is the only one. */
export async function loggedOnce(nodeRed: NodeRed, ...texts: readonly (string | RegExp)[]): Promise<string> {
  const [line = "", ...more] = await eventually(() => {
    const lines = logged(nodeRed, ...texts);
    return lines.length > 0 ? lines : undefined;
  });
  assert.deepEqual(more, [], nodeRed.log);
  return line;
}
