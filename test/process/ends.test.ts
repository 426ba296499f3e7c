import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { envelope, pageOf } from "../support/business-hours";
import type { Received } from "../support/live-tenant";
import { campaignFlow, control, withCampaign } from "../support/process/campaign";
import { eventually } from "../support/process/eventually";
import { incidentFlow } from "../support/process/incident-flow";
import { at, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { installSlowNode, SLOW_NODE, SLOW_STORE } from "../support/process/slow-node";
import type { UnfinishedLine } from "../support/process/unfinished-lines";

/**
 * The states of a message at the end of Node-RED: the number of its requests in all; the outcomes of its lines in
 * telephony/unfinished.jsonl; and what its flow receives after the next start, when all requests are answered, call-outs are resumed
 * and incidents acknowledged. Requests in flight are answered while Node-RED stops, or not within the 12 seconds; or it ends sooner,
 * or is killed without a stop.
 */
const TABLE = `
                       | answered                  | given up          | not answered      | killed
transfer in flight     | 1: unknown applied, -     | 1: unknown, -     | 1: unknown, -     | 1: -, -
transfer that waits    | 0: not-applied, -         | 0: not-applied, - | 0: not-applied, - | 0: -, -
list in flight         | 1: not-applied applied, - | 1: not-applied, - | 1: not-applied, - | 1: -, -
values being read      | 0: not-applied, -         | 0: not-applied, - | 0: not-applied, - | 0: -, -
between two requests   | 3: unknown, -             | 3: unknown, -     | 3: unknown, -     | 3: -, -
memory in flight       | 1: unknown applied, -     | 1: unknown, -     | 1: unknown, -     | 1: -, -
memory that waits      | 0: not-applied, -         | 0: not-applied, - | 0: not-applied, - | 0: -, -
memory and an incident | 1: unknown, -             | 1: unknown, -     | 1: unknown, -     | 1: -, -
file in flight         | 1: applied, -             | 1: unknown, -     | 1: -, LOST        | 1: -, LOST
file that waits        | 1: -, ok                  | 1: -, ok          | 1: -, ok          | 1: -, ok
file and an incident   | 1: -, ok                  | 1: -, ok          | 1: -, ok          | 1: -, ok
`;
const [[, ...KINDS] = [], ...ROWS] = TABLE.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));
const STATES = ROWS.map(([state = ""]) => state);

const CUT = '{"time":"cut';
const CRASH = 'setTimeout(() => { Promise.reject(new Error("of another node")); }, 500);';
const other = (initialize: string) => at("code", "function", { initialize, func: "" });

/** docs/contract/restarts.md; rows 21 to 22 of docs/faults.md. */
describe("Node-RED ends", () => {
  const held = withCampaign();
  let nodeRed: NodeRed;
  let file: string;
  let settings: string;
  let release: () => void;

  before(() => {
    const { folder } = held.campaign;
    installSlowNode(folder);
    settings = join(folder, "ends-settings.js");
    writeFileSync(join(folder, "slow-store.js"), SLOW_STORE);
    writeFileSync(
      settings,
      `const { contextStorage } = require("./slow-store.js");
module.exports = { ...require("./campaign-settings.js"), contextStorage };`,
    );
    file = join(held.campaign.telephonyFolder, "unfinished.jsonl");
  });
  beforeEach(() => rmSync(join(held.campaign.folder, "answer"), { force: true }));
  afterEach(() => nodeRed?.kill());

  const start = async () => {
    nodeRed = await NodeRed.start(held.campaign.folder, {}, "--settings", settings);
  };
  const flow = (...more: FlowNode[]): FlowNode[] => {
    const of = { url: held.tenant.url, onTrouble: "fail", concurrency: "20" };
    const nodes = campaignFlow({ ...of, engine: "file" });
    const [tenant, call] = ["tenant", "call"].map((id) => nodes.find((node) => node.id === id));
    const incident = incidentFlow({}, { ringFor: "3600" }).find((node) => node.id === "call");
    const to = { toKind: "internal", toKindType: "str", toNumber: "7", toNumberType: "str" };
    const transfer = { type: "call-transfer", tenant: "busy", callId: "payload.id", callIdType: "msg", ...to };
    const name = { scheduleName: "payload.id", scheduleNameType: "msg" };
    const week = { days: [{ day: "mon", open: "08:00", close: "12:00" }], daysType: "list" };
    const search = { search: "payload.id", searchType: "msg" };
    const ours: Readonly<Record<string, object | undefined>> = {
      "transfer in flight": transfer,
      "transfer that waits": transfer,
      "list in flight": { type: "business-hour-list", tenant: "other", ...search },
      "values being read": { ...call, tenant: "other", toNumber: "#:(slow)::number", toNumberType: "flow" },
      "between two requests": { type: "business-hour-ensure", tenant: "other", ...name, ...week },
      "memory in flight": { ...call, tenant: "other" },
      "memory that waits": { ...call, tenant: "other" },
      "memory and an incident": { ...incident, tenant: "other" },
      "file in flight": call,
      "file that waits": call,
      "file and an incident": incident,
    };
    assert.deepEqual(Object.keys(ours), STATES);
    const func = `const out = Array(${STATES.length + 2}).fill(null);
const index = ${JSON.stringify(STATES)}.indexOf(msg.payload.id);
out[index < 0 ? ${STATES.length} : index] = { ...msg, req: undefined, res: undefined, acknowledge: msg.payload.by };
out[${STATES.length + 1}] = msg;
return out;`;
    const outputs = [...STATES, "pauses"].map((id) => [id]);
    return [
      ...nodes.flatMap((node) => (node.id === "call" ? [] : node.id === "catch" ? { ...node, scope: null } : node)),
      ...["other", "busy"].map((id) => ({
        ...(tenant as FlowNode),
        id,
        engine: "memory",
        ...(id === "busy" && { concurrency: "1" }),
      })),
      ...STATES.map(
        (id) => ({ ...at(id, "", {}, ["ok"], ["ok"]), ...ours[id], id, wires: [["ok"], ["ok"]] }) as FlowNode,
      ),
      hook("/put", "put"),
      at("put", "function", { func, outputs: STATES.length + 2 }, ...outputs, ["answer"]),
      at("pauses", "telephony-control", { tenant: "other", command: "pause" }),
      ...more,
    ];
  };
  const put = async (id: string, more: object = {}) =>
    assert.equal((await nodeRed.post("/put", { id, ...more })).status, 200);
  const idOf = ({ payload }: Readonly<Record<string, unknown>>) => Object(payload).id ?? Object(payload).key;
  const numberOf = (id: string) => `00000001${10 + STATES.indexOf(id)}`;
  const isOf = (id: string, { url, text }: Received) =>
    [id, `${numberOf(id)}"`].some((mark) => (decodeURIComponent(url.replaceAll("+", " ")) + text).includes(mark)) ||
    (id === "between two requests" && url.endsWith("/9"));
  const asked = (id: string) => held.tenant.received.filter((request) => isOf(id, request)).length;
  const incident = (id: string) => ({ key: id, people: [{ name: id, number: numberOf(id) }] });

  const begin = async (more: readonly FlowNode[]): Promise<void> => {
    await start();
    await nodeRed.deploy(flow(...more));
    let isHeld = true;
    const released = new Promise<void>((resolve) => {
      release = () => {
        isHeld = false;
        resolve();
      };
    });
    held.tenant.answers(async (request) => {
      const { method, url } = request;
      const isOfSchedules = url.includes("business-hour");
      const isAtOnce = STATES.some((id) => id.endsWith("incident") && isOf(id, request)) || /search=between/.test(url);
      if (isHeld && !isAtOnce && !(isOfSchedules && method === "POST")) await released;
      return isOfSchedules ? { body: envelope({ ...pageOf([], 1, 1), id: 9 }) } : {};
    });
    for (const id of ["memory in flight", "file in flight"]) await put(id);
    await eventually(() => held.tenant.received.length === 2 || undefined);
    await put("pause");
    await control(nodeRed, "pause");
    for (const id of STATES.filter((one) => !/^(memory|file) in flight/.test(one))) await put(id, incident(id));
    await eventually(() => (held.tenant.received.length === 9 && nodeRed.log.includes("is asked")) || undefined);
  };
  /** Reads the lines behind one that an earlier process could not end; none of them is cut off. */
  const linesBehindCut = (): UnfinishedLine[] => {
    if (!existsSync(file)) return [];
    const [cut, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    assert.equal(cut, CUT);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.doesNotMatch(lines.join(), /token-of-the-campaign/);
    return lines.map((line) => JSON.parse(line) as UnfinishedLine);
  };
  const stops =
    (then = () => {}, signal?: NodeJS.Signals) =>
    async () => {
      const [stopping, exit] = [nodeRed.prints("Stopping flows"), nodeRed.stop(signal)];
      await stopping;
      then();
      return exit;
    };
  const answers = () => {
    writeFileSync(join(held.campaign.folder, "answer"), "");
    release();
  };

  const HOWS: Readonly<Record<string, Readonly<Record<string, () => Promise<unknown>>>>> = {
    answered: { "at SIGTERM": stops(answers), "at SIGINT": stops(answers, "SIGINT") },
    "given up": { "at SIGTERM": stops() },
    "not answered": {
      "at SIGTERM during a deploy that another node delays": async () => {
        const stopping = nodeRed.prints("Stopping flows");
        nodeRed.post("/flows", flow(SLOW_NODE)).catch(() => {});
        await stopping;
        return nodeRed.stop();
      },
      "at SIGTERM while flows wait for a missing node type": async () => {
        await nodeRed.post("/flows", flow(at("unknown", "no-such-type", {})));
        await eventually(() => /no-such-type/.test(nodeRed.log) || undefined);
        return nodeRed.stop();
      },
      "because another node crashes": async () => {
        const exit = nodeRed.exit();
        await nodeRed.post("/flows", flow(other(CRASH)), { "node-red-deployment-type": "nodes" }).catch(() => {});
        return exit;
      },
      "by SIGKILL while it stops": async () => {
        const exit = nodeRed.stop();
        await eventually(() => linesBehindCut().length >= 8 || undefined);
        nodeRed.kill();
        return exit;
      },
    },
    killed: { "by SIGKILL": () => nodeRed.stop("SIGKILL") },
  };

  for (const [column, kind] of KINDS.entries())
    for (const [how, end] of Object.entries(HOWS[kind] ?? {}))
      it(`${how}, requests ${kind}`, async () => {
        mkdirSync(held.campaign.telephonyFolder, { recursive: true });
        if (kind !== "killed") writeFileSync(file, CUT, { mode: 0o600 });
        await begin([how.includes("delays") ? SLOW_NODE : other("")]);
        const code = await end();
        if (!/crash|KILL/.test(how)) assert.equal(code, 0);
        assert.doesNotMatch(nodeRed.log, /Close timed out/);
        const lines = linesBehindCut();
        const ofLines = new Set(lines.map(({ node }) => node));
        assert.equal(new Set(lines.map(({ entry }) => entry)).size, ofLines.size);
        for (const { time, mode, message, action, node } of lines) {
          assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
          const last = lines.findLast((line) => line.node === node)?.outcome;
          const logged = new RegExp(`${action}, message ${message}: .*${last}\n`);
          if (!how.includes("KILL")) assert.match(nodeRed.log, logged);
          assert.equal(mode, "live");
        }
        release();
        held.campaign.edit((node) => (["unknown", "code", "slow"].includes(node.id) ? undefined : node));
        await start();
        const named = nodeRed.log.split("\n").filter((line) => /\[warn\].*unfinished\.jsonl/.test(line));
        assert.equal(named.length, kind === "killed" ? 0 : 1);
        await control(nodeRed, "resume");
        await put("file and an incident", { key: "file and an incident", by: true });
        const found = () =>
          STATES.map((state) => {
            const written = lines.filter(({ node }) => node === state).map(({ outcome }) => outcome);
            const came = held.campaign.results.filter(({ message }) => idOf(message) === state);
            const ends = came.map(({ as, outcome }) => [as, outcome].filter(Boolean).join(" "));
            return `${state} | ${asked(state)}: ${written.join(" ") || "-"}, ${ends.join(", ") || "-"}`;
          });
        const expected = ROWS.map(
          ([state = "", ...cells]) => `${state} | ${cells[column]?.replace("LOST", "ERR_CONNECTION_LOST unknown")}`,
        );
        await eventually(() => found().join() === expected.join() || undefined).catch(() => {});
        assert.deepEqual(found(), expected);
      });
});
