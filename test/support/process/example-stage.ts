import assert from "node:assert/strict";
import type { LoggedRequest } from "../../../src/sandbox/inspect/request-log";
import { checkRequest } from "../../interface/interface";
import { eventually } from "./eventually";
import { type Deployable, deployable } from "./examples";
import { type FlowNode, NodeRed } from "./node-red";
import { userFolder } from "./user-folder";

export const SECRET = "a secret of the tests";
export const KNOWS = { "x-call-secret": SECRET };

export interface Call {
  readonly callId: string;
  readonly state: string;
  readonly to: unknown;
  readonly actions?: readonly { readonly text: string }[];
  readonly participants: readonly object[];
}

export interface Schedule {
  readonly id: number;
  readonly name: string;
  readonly days: readonly object[];
}

/** What a webhook of an example answered. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly json: {
    /** Null when unknown. */
    accepted?: boolean | null;
    code?: string;
    message?: string;
    first?: { outcome?: string };
  };
}

export async function answered(response: Promise<Response>): Promise<Answered> {
  const { status } = await response;
  const text = await (await response).text();
  return { status, text, json: text === "" ? {} : (JSON.parse(text) as Answered["json"]) };
}

/** Nodes that return the schedules of a tenant: the sandbox has no page for them. */
function scheduleReader(tenant: FlowNode, _index: number, flows: FlowNode[]): FlowNode[] {
  if (tenant.type !== "telephony-tenant") return [];
  const number = flows.filter(({ type }) => type === "telephony-tenant").indexOf(tenant);
  const z = `reader ${number}`;
  return [
    { id: z, type: "tab", label: z },
    { id: `${z} in`, z, type: "http in", method: "get", url: `/schedules/${number}`, wires: [[`${z} list`]] },
    { id: `${z} list`, z, type: "business-hour-list", tenant: tenant.id, output: "all", wires: [[`${z} out`]] },
    { id: `${z} out`, z, type: "http response", wires: [] },
  ];
}

/** One for all suites of a run: each start takes seconds. */
let running: Promise<NodeRed> | undefined;
after(async () => (await running)?.kill());

/** A real Node-RED in which one example at a time is shown. */
export class ExampleStage {
  #nodeRed: NodeRed | undefined;
  #shown: Deployable | undefined;

  /** For a suite, with a Node-RED that other suites use before and after it. */
  constructor() {
    before(async () => {
      running ??= userFolder().then((folder) => NodeRed.start(folder, { CALL_SECRET: undefined }));
      this.#nodeRed = await running;
    });
    after(() => this.#checkRequests());
  }

  get nodeRed(): NodeRed {
    assert.ok(this.#nodeRed, "Node-RED has not started");
    return this.#nodeRed;
  }

  /**
   * @param secret what CALL_SECRET is on the example's tab; as it ships when not given
   * @param change what a node of the example is instead, for this test
   */
  async show(name: string, secret?: string, change: (node: FlowNode) => FlowNode = (node) => node): Promise<void> {
    await this.#checkRequests();
    const shown = await deployable(name, secret);
    this.#shown = shown;
    // A sandbox keeps its calls over a redeploy; only without its tenant it ends.
    await this.nodeRed.deploy([]);
    await this.nodeRed.deploy([...shown.flows.map(change), ...shown.flows.flatMap(scheduleReader)]);
    for (const sandbox of shown.sandboxes)
      await eventually(async () => (await fetch(`${sandbox}/calls`)).ok || undefined);
  }

  /** Deploys all examples at once. No status counts as shown yet. */
  async showAll(examples: readonly Deployable[]): Promise<void> {
    await this.#checkRequests();
    this.#shown = undefined;
    await this.nodeRed.deploy(examples.flatMap(({ flows }) => flows));
  }

  /** The example that was shown last. */
  get shown(): Deployable {
    assert.ok(this.#shown, "No example is shown yet");
    return this.#shown;
  }

  async calls(): Promise<Call[]> {
    return (await (await fetch(`${this.shown.sandboxes[0]}/calls`)).json()) as Call[];
  }

  /** The requests to a tenant of the example, oldest first. */
  async asked(tenant = 0): Promise<string[]> {
    const log = await this.#log(this.shown.sandboxes[tenant] ?? "");
    return log.map(({ method, path, status }) => `${method} ${path} ${status}`);
  }

  async #log(sandbox: string): Promise<LoggedRequest[]> {
    return (await (await fetch(`${sandbox}/log`)).json()) as LoggedRequest[];
  }

  /** Checks the requests of the example shown so far against the service's interface. */
  async #checkRequests(): Promise<void> {
    for (const sandbox of this.#shown?.sandboxes ?? []) {
      for (const { method, path, query, body } of await this.#log(sandbox)) {
        checkRequest({ method, url: `${path}?${new URLSearchParams(query)}`, body: body ?? undefined });
      }
    }
  }

  /** The schedules of a tenant of the example, as they are now. */
  async schedules(tenant = 0): Promise<Schedule[]> {
    return (await (await this.nodeRed.get(`/schedules/${tenant}`)).json()) as Schedule[];
  }

  press(button: string): Promise<void> {
    return this.nodeRed.inject(this.shown.id(button));
  }

  /** Presses a button and waits for what a Debug node then shows; returns all that was printed meanwhile. */
  async shows(button: string, text: string | RegExp): Promise<string> {
    const before = this.nodeRed.log.length;
    await this.press(button);
    const since = () => this.nodeRed.log.slice(before);
    await eventually(() => since().search(text) >= 0 || undefined);
    return since();
  }

  /** The next requests to the sandbox fail. */
  async injectFaults(plan: object): Promise<void> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(plan) };
    assert.equal((await fetch(`${this.shown.sandboxes[0]}/faults`, init)).status, 200);
  }
}

/** Makes the gates of an example use this instant instead of the clock. */
export function judgingAt(at: string): (node: FlowNode) => FlowNode {
  return (node) => (node.type === "business-hour-gate" ? { ...node, at, atType: "str" } : node);
}
