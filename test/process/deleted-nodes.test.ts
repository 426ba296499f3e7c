import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LiveTenant } from "../support/live-tenant";
import { eventually } from "../support/process/eventually";
import { incidentsIn, journalIn } from "../support/process/journals";
import { at, type FlowNode, hook, NodeRed } from "../support/process/node-red";
import { unfinishedLines } from "../support/process/unfinished-lines";
import { userFolder } from "../support/process/user-folder";

const ENGINES = ["memory", "file"] as const;
const SECRET = "a secret of the deleted webhook";
const INNER = ["hook", ...ENGINES.flatMap((engine) => [`call-${engine}`, `alarm-${engine}`])];
/** The types of a subflow's nodes when their ids go to others. */
const OTHERS: Readonly<Record<string, string>> = { hook: "function", call: "call-stop", alarm: "call-out" };

type Change = (node: FlowNode) => FlowNode | undefined;
const isOf = (...ids: string[]) => ({
  removed: (node: FlowNode) => (ids.includes(node.id) ? undefined : node),
  changed: (more: object) => (node: FlowNode) => (ids.includes(node.id) ? { ...node, ...more } : node),
});
const asOthers: Change = (node) =>
  INNER.includes(node.id) ? { ...node, type: OTHERS[node.id.split("-")[0] ?? ""] ?? "" } : node;

/** The changes of the flows, and the answer of their webhook to a stranger. */
const WAYS: Readonly<Record<string, readonly [Change, number]>> = {
  "their instance is deleted": [isOf("i").removed, 404],
  "their instance is disabled": [isOf("i").changed({ d: true }), 404],
  "their instance gets another id": [isOf("i").changed({ id: "j" }), 401],
  "its tab is disabled": [isOf("ward").changed({ disabled: true }), 404],
  "they are deleted": [isOf(...INNER).removed, 404],
  "they are disabled": [isOf(...INNER).changed({ d: true }), 404],
  "their subflow is deleted": [isOf("s", "i", ...INNER).removed, 404],
  "their ids go to nodes of other types": [asOthers, 404],
};

/** docs/contract/restarts.md: in a subflow, whose nodes Node-RED does not call removed. */
describe("what waits for nodes of a subflow", () => {
  let folder: string;
  let telephony: string;
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    folder = await userFolder();
    telephony = join(folder, "telephony");
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(folder);
  });
  beforeEach(() => tenant.reset());
  after(() => {
    nodeRed?.kill();
    rmSync(telephony, { recursive: true, force: true });
    tenant?.stop();
  });

  const flows = (change: Change = (node) => node): FlowNode[] => {
    const spoken = { answerUrl: "https://example.com/answer", answerUrlType: "str", target: "-" };
    const number = { toNumber: "payload.number", toNumberType: "msg", ...spoken };
    const credentials = { token: "token-of-the-ward" };
    const settings = { url: tenant.url, fromNumber: "0000000000", concurrency: "1", credentials };
    const secret = { path: "ward", answer: "taken", credentials: { secret: SECRET } };
    const all: readonly FlowNode[] = [
      { id: "tab", type: "tab", label: "Own" },
      { id: "ward", type: "tab", label: "Ward" },
      { id: "s", type: "subflow", name: "Calls", in: [], out: [] },
      { ...at("i", "subflow:s", {}), z: "ward" },
      { ...at("hook", "telephony-webhook", secret, INNER.slice(1)), z: "s" },
      ...ENGINES.flatMap((engine): FlowNode[] => [
        { id: `tenant-${engine}`, type: "telephony-tenant", engine, ...settings },
        { ...at(`call-${engine}`, "call-out", { tenant: `tenant-${engine}`, ...number }, []), z: "s" },
        {
          ...at(`alarm-${engine}`, "call-escalate", { tenant: `tenant-${engine}`, ringFor: "3600", ...spoken }, [], []),
          z: "s",
        },
        hook(`/${engine}`, `control-${engine}`),
        at(`control-${engine}`, "telephony-control", { tenant: `tenant-${engine}` }, ["answer"]),
        hook(`/${engine}/last`, `last-${engine}`),
        at(`last-${engine}`, "call-out", { tenant: `tenant-${engine}`, ...number }, ["answer"]),
      ]),
      at("answer", "http response", {}),
    ];
    return all.flatMap((node) => change(node) ?? []);
  };
  /** A probe rings nobody. */
  const rung = () => tenant.received.flatMap(({ body }) => (body ? [String(Object(body)["to.number"])] : []));
  const control = async (engine: string, command: string) =>
    Object(await (await nodeRed.post(`/${engine}`, { command })).json());
  const waiting = async (engine: string): Promise<number> => (await control(engine, "count")).waiting.callOut;
  /** Lists of each node its type, its id, and the numbers of messages and of incidents. */
  const warned = (from: number) =>
    [...nodeRed.log.slice(from).matchAll(/\[warn\] (\S+) \((\S+)\): .*: (\d+)\. .*: (\d+)\. /g)].map((line) =>
      line.slice(1, 5).join(" "),
    );

  /** Lets two calls of each engine wait in a pause, and two incidents call one person. */
  const begin = async () => {
    await nodeRed.deploy(flows());
    for (const engine of ENGINES) await control(engine, "pause");
    for (const key of ["first", "second"]) {
      const body = { number: "0000000001", key, people: [{ name: "A", number: "0000000002" }] };
      assert.equal((await nodeRed.post("/ward", body, { "x-call-secret": SECRET })).status, 202);
    }
    await eventually(() => rung().length === 4 || undefined);
    for (const engine of ENGINES) await eventually(async () => (await waiting(engine)) === 2 || undefined);
  };
  /** Calls one person with each engine, behind all that waits. */
  const end = async () => {
    for (const engine of ENGINES) {
      await control(engine, "resume");
      await nodeRed.post(`/${engine}/last`, { number: "0000000009" });
      assert.equal(await waiting(engine), 0);
    }
  };

  for (const [way, [change, status]] of Object.entries(WAYS))
    for (const kind of ["full", "flows", "nodes"] as const)
      it(`ends, with one warning a node, when ${way}: deploy of ${kind}`, async () => {
        await begin();
        const from = nodeRed.log.length;
        await nodeRed.deploy(flows(change), kind);
        assert.equal((await nodeRed.post("/ward", {})).status, status);
        await end();
        assert.deepEqual(rung().sort(), [...Array(4).fill("0000000002"), "0000000009", "0000000009"]);
        await eventually(() => warned(from).length >= 4 || undefined);
        assert.deepEqual(warned(from).sort(), [
          ...["file", "memory"].map((engine) => `call-escalate i-alarm-${engine} 0 2`),
          ...["file", "memory"].map((engine) => `call-out i-call-${engine} 2 0`),
        ]);
      });

  it("ends at a start, if their ids have gone to nodes of other types meanwhile", async () => {
    await begin();
    // Otherwise the calls of the incidents are cut off, too.
    await eventually(() => incidentsIn(journalIn(telephony), '"applied"').length === 2 || undefined);
    await nodeRed.stop("SIGKILL");
    const file = join(folder, "flows.json");
    const deployed = JSON.parse(readFileSync(file, "utf8")) as FlowNode[];
    writeFileSync(file, JSON.stringify(deployed.map((node) => asOthers(node))));
    nodeRed = await NodeRed.start(folder);
    await end();
    assert.deepEqual(rung().slice(4), ["0000000009", "0000000009"]);
    await eventually(() => warned(0).length >= 2 || undefined);
    assert.deepEqual(warned(0).sort(), ["call-escalate i-alarm-file 0 2", "call-out i-call-file 2 0"]);
    await eventually(() => incidentsIn(journalIn(telephony)).length === 0 || undefined);
    const lines = unfinishedLines(join(telephony, "unfinished.jsonl")).map(
      ({ node, action, mode, outcome, request: { key, rung = [] } }) =>
        [node, action, mode, outcome, key, ...(rung as { name: string }[]).map(({ name }) => name)].join(" "),
    );
    assert.deepEqual(lines.sort(), [
      ...["first", "second"].map((key) => `i-alarm-file call-escalate live unknown ${key} A`),
      ...Array(2).fill("i-call-file call-out live not-applied "),
    ]);
  });
});
