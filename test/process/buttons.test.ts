import assert from "node:assert/strict";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const PLACE = { z: "tab", x: 100, y: 100 };
const GATE = "/telephony/gate/gate/closing";

/** GET /open answers with what the gate says. */
const flow: FlowNode[] = [
  { id: "tab", type: "tab", label: "Buttons" },
  { id: "box", type: "telephony-tenant", mode: "sandbox" },
  { ...PLACE, id: "ask", type: "http in", method: "get", url: "/open", wires: [["gate"]] },
  {
    ...PLACE,
    id: "gate",
    type: "business-hour-gate",
    tenant: "box",
    scheduleName: "Support 24/7",
    wires: [["say"], ["say"]],
  },
  {
    ...PLACE,
    id: "say",
    type: "change",
    rules: [{ t: "set", p: "payload", pt: "msg", to: "businessHour", tot: "msg" }],
    wires: [["answer"]],
  },
  { ...PLACE, id: "answer", type: "http response", wires: [] },
  { ...PLACE, id: "pause", type: "telephony-control", tenant: "box", command: "pause", wires: [[]] },
];

describe("the buttons of nodes, in a real Node-RED", () => {
  let folder: string;
  let nodeRed: NodeRed;

  before(async () => {
    folder = await userFolder();
    nodeRed = await NodeRed.start(folder);
    await nodeRed.deploy(flow);
  });
  after(() => nodeRed?.kill());

  const post = (path: string, body: object) => nodeRed.post(path, body, { origin: nodeRed.url });
  const isOpen = async () => ((await (await nodeRed.get("/open")).json()) as { open: boolean }).open;

  it("close a gate until an end, over a deploy and a restart, and release it", async () => {
    assert.equal(await isOpen(), true);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    assert.deepEqual(await (await post(GATE, { until })).json(), { ok: true, until });
    assert.equal(await isOpen(), false);
    await nodeRed.deploy(flow);
    assert.equal(await isOpen(), false);
    await nodeRed.stop();
    nodeRed = await NodeRed.start(folder);
    assert.deepEqual(await (await nodeRed.get(GATE)).json(), { ok: true, until });
    assert.equal(await isOpen(), false);
    assert.deepEqual(await (await post(GATE, { until: null })).json(), { ok: true, until: null });
    assert.equal(await isOpen(), true);
  });

  it("refuse an end that is past, too far away or none, and nodes that do not run", async () => {
    for (const until of ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "tonight", 1, undefined])
      assert.equal((await post(GATE, { until })).status, 400, String(until));
    assert.equal((await post("/telephony/gate/pause/closing", { until: null })).status, 404);
    assert.equal((await post("/telephony/control/gate", {})).status, 404);
    assert.equal(await isOpen(), true);
  });

  it("perform the command of a control node", async () => {
    assert.equal((await post("/telephony/control/pause", {})).status, 200);
    const counts = (await (await nodeRed.get("/telephony/tenant/box/control")).json()) as { paused: boolean };
    assert.equal(counts.paused, true);
  });
});
