import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { delivered, deliveredAll, ledgerFlow } from "../support/process/ledger-flow";
import { LiveTenant } from "../support/process/live-tenant";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { installSlowNode, letClose, SLOW_NODE } from "../support/process/slow-node";
import { userFolder } from "../support/process/user-folder";

const PLACE = { x: 100, y: 100 };

/** A business hour as the interface shows it in reads. */
const hour = (id: number) => {
  const at = "2023-02-21T08:00:00.000000Z";
  const days = [{ day: "mon", open: "08:00:00", close: "17:00:00" }];
  const name = `Office ${id}`;
  return { id, name, enable: 1, provider_business_hour_id: null, created_at: at, updated_at: at, days };
};

/** Row 20b of docs/faults.md: Node-RED stops other nodes first, and starts their successors later. */
describe("a deploy of modified nodes or flows", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    const folder = await userFolder();
    installSlowNode(folder);
    nodeRed = await NodeRed.start(folder);
  });
  beforeEach(async () => {
    let isRenewed: true | undefined;
    const renewed = nodeRed.renew().then(() => {
      isRenewed = true;
    });
    await eventually(async () => {
      await letClose(nodeRed);
      return isRenewed;
    });
    await renewed;
    tenant.reset();
  });
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const flow = (more: Parameters<typeof ledgerFlow>[1] = {}) => [...ledgerFlow({ url: tenant.url }, more), SLOW_NODE];

  /** As the editor deploys: without credentials, or the tenant counts as changed and replaces all nodes that use it. */
  const renamed = (flows: readonly FlowNode[], ...ids: string[]) =>
    flows.map((node) => ({ ...node, credentials: undefined, ...(ids.includes(node.id) && { name: "renamed" }) }));

  /** Sends messages, and lets their answers come while the deploy waits for the slow node. */
  const during = async (deploying: () => Promise<void>, ids: readonly string[]) => {
    const release = tenant.hold();
    assert.equal((await nodeRed.post("/go", ids)).status, 200);
    await eventually(() => tenant.received.length === ids.length || undefined);
    const before = nodeRed.log.length;
    const stops = nodeRed.prints("Stopping modified");
    const deployed = deploying();
    await stops;
    release();
    await eventually(() => tenant.answered === ids.length || undefined);
    // After two more requests to Node-RED, it has read the answers.
    for (const _ of [1, 2]) await nodeRed.get("/settings");
    assert.doesNotMatch(nodeRed.log.slice(before), /Stopped modified/);
    await letClose(nodeRed);
    await deployed;
    assert.equal(tenant.received.length, ids.length);
  };

  const ids = ["1", "2", "3", "4", "5"];
  const sorted = async () =>
    (await deliveredAll(nodeRed, ids.length)).map(({ id, as }) => `${id} ${as}`).sort((a, b) => a.localeCompare(b));

  it("of only the nodes behind ours: outcomes wait until they are there", async () => {
    await nodeRed.deploy(flow());
    await during(() => nodeRed.deploy(renamed(flow(), "slow", "ok"), "nodes"), ids);
    assert.deepEqual(
      await sorted(),
      ids.map((id) => `${id} ok`),
    );
  });

  it("of only the Catch node: failures wait until it is there", async () => {
    const envelope = { success: false, code: 503, locale: "en", message: "Later", data: null };
    tenant.answer = { status: 503, envelope };
    await nodeRed.deploy(flow());
    await during(() => nodeRed.deploy(renamed(flow(), "slow", "catch", "failed"), "nodes"), ids);
    assert.deepEqual(
      await sorted(),
      ids.map((id) => `${id} ERR_SERVER`),
    );
  });

  it("of our node too: outcomes wait for its successor", async () => {
    await nodeRed.deploy(flow());
    await during(() => nodeRed.deploy(renamed(flow(), "slow", "transfer", "ok"), "nodes"), ids);
    assert.deepEqual(
      await sorted(),
      ids.map((id) => `${id} ok`),
    );
  });

  it("of the flow behind a link: outcomes wait until it runs", async () => {
    const link = { ...PLACE, links: ["in"], wires: [] };
    const linked: FlowNode[] = [
      ...flow({ node: { wires: [["out"]] } }).map((node) =>
        node.id === "ok" || node.id === "slow" ? { ...node, z: "behind" } : node,
      ),
      { ...link, id: "out", type: "link out", z: "tab", mode: "link" },
      { id: "behind", type: "tab", label: "Behind" },
      { ...link, id: "in", type: "link in", z: "behind", links: ["out"], wires: [["ok"]] },
    ];
    await nodeRed.deploy(linked);
    await during(() => nodeRed.deploy(renamed(linked, "slow", "ok"), "flows"), ids);
    assert.deepEqual(
      await sorted(),
      ids.map((id) => `${id} ok`),
    );
  });

  it("of only the nodes behind a gate that waits for schedules: its messages wait until they are there", async () => {
    tenant.answer = { status: 200, envelope: { success: true, code: 200, locale: "en", message: "OK", data: hour(1) } };
    const gate: FlowNode = {
      ...PLACE,
      id: "transfer",
      type: "business-hour-gate",
      z: "tab",
      tenant: "tenant",
      scheduleId: "payload",
      scheduleIdType: "msg",
      wires: [["ok"], ["ok"]],
    };
    const kept = { t: "set", p: "delivered", pt: "global", tot: "jsonata" };
    const to = '$append($globalContext("delivered"), [{"id": payload, "as": "ok"}])';
    const flows = flow().map((node) => {
      if (node.id === "ok") return { ...node, rules: [{ ...kept, to }] };
      return node.id === "transfer" ? gate : node;
    });
    await nodeRed.deploy(flows);
    await during(() => nodeRed.deploy(renamed(flows, "slow", "ok"), "nodes"), ids);
    assert.deepEqual(
      await sorted(),
      ids.map((id) => `${id} ok`),
    );
  });

  it("with pages of a list on their way: every item arrives once", async () => {
    const items = ids.map((id) => hour(Number(id)));
    const page = {
      current_page: 1,
      data: items,
      first_page_url: "",
      from: 1,
      last_page: 1,
      last_page_url: "",
      next_page_url: null,
      path: "",
      per_page: 15,
      prev_page_url: null,
      to: items.length,
      total: items.length,
    };
    tenant.answer = { status: 200, envelope: { success: true, code: 200, locale: "en", message: "OK", data: page } };
    const list = (flows: readonly FlowNode[]) => [
      ...flows.map((node) => (node.id === "ok" ? { ...node, rules: kept } : node)),
      {
        ...PLACE,
        id: "items",
        type: "business-hour-list",
        z: "tab",
        tenant: "tenant",
        output: "each",
        wires: [["ok"]],
      },
      { ...PLACE, id: "start", type: "inject", z: "tab", props: [], wires: [["items"]] },
    ];
    const to = '$append($globalContext("delivered"), [{"id": payload.id, "as": "ok"}])';
    const kept = [{ t: "set", p: "delivered", pt: "global", to, tot: "jsonata" }];
    await nodeRed.deploy(list(flow()));
    const release = tenant.hold();
    await nodeRed.inject("start");
    await eventually(() => tenant.received.length === 1 || undefined);
    const stops = nodeRed.prints("Stopping modified");
    const deployed = nodeRed.deploy(renamed(list(flow()), "slow", "ok"), "nodes");
    await stops;
    release();
    await eventually(() => tenant.answered === 1 || undefined);
    for (const _ of [1, 2]) await nodeRed.get("/settings");
    await letClose(nodeRed);
    await deployed;
    await eventually(async () => (await delivered(nodeRed)).length >= ids.length || undefined);
    assert.deepEqual(
      (await deliveredAll(nodeRed, ids.length)).map(({ id }) => String(id)),
      ids,
    );
  });
});
