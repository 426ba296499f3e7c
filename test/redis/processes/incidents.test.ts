import assert from "node:assert/strict";
import { prefix } from "../../support/backlog/leases";
import { go } from "../../support/process/campaign";
import { eventually, LONG_MS } from "../../support/process/eventually";
import {
  acknowledge,
  dialled,
  end,
  incident,
  incidentFlow,
  reportOf,
  untilDialled,
} from "../../support/process/incident-flow";
import { sharing } from "../../support/process/sharing";

/** docs/contract/escalate.md, with several instances. */
describe("Node-REDs that share an incident", () => {
  const held = sharing();

  const start = async (campaign: typeof held.one, node: Record<string, unknown>) => {
    const credentials = { token: "token-of-the-incidents", redisUrl: held.redis.url };
    const nodeRed = await campaign.start();
    await nodeRed.deploy(
      incidentFlow({ url: held.tenant.url, engine: "redis", group: `incidents ${held.group}`, credentials }, node),
    );
    return nodeRed;
  };
  const startBoth = (node: Record<string, unknown>) => Promise.all([start(held.one, node), start(held.other, node)]);

  it("run it once, and each takes its acknowledgement", async () => {
    const [first, second] = await startBoth({ ringFor: "3600" });
    await go(first, incident("i"));
    await untilDialled(held.tenant, 1);
    await go(second, incident("i"));
    await acknowledge(second, "i", "Jane");
    const { as, acknowledgedBy, calls } = await reportOf(held.one, "i");
    assert.deepEqual([as, acknowledgedBy, calls], ["ok", "Jane", ["1 A applied"]]);
    await go(second, incident("j"));
    await untilDialled(held.tenant, 2);
    await acknowledge(second, "j");
    await reportOf(held.other, "j");
    assert.deepEqual(
      [dialled(held.tenant), Object.keys(held.one.ends), Object.keys(held.other.ends)],
      ["AA", ["i"], ["j"]],
    );
    // Both are quiet about each, until one of them hears that it is over.
    await go(second, incident("i"));
    await go(first, incident("j"));
    await end(first, "j");
    await eventually(async () => {
      await go(second, incident("j"));
      return dialled(held.tenant).length === 3 || undefined;
    });
    await end(first, "j");
    await eventually(() => held.other.results.filter(({ id }) => id === "j").length === 2 || undefined);
    assert.equal(dialled(held.tenant), "AAA");
  });

  it("go on with one that is held back after a long stop of all when a message of its key comes to any of them", async () => {
    const first = await start(held.one, { ringFor: "1" });
    await go(first, incident("i"));
    await untilDialled(held.tenant, 1);
    await first.stop("SIGKILL");
    await held.redis.command("HSET", `${await prefix(held.redis)}:state`, "beat", String(Date.now() - 16 * 60_000));
    const second = await start(held.one, { ringFor: "1" });
    await eventually(() => second.log.includes("held back: 1") || undefined, LONG_MS);
    const other = await start(held.other, { ringFor: "1" });
    const before = dialled(held.tenant);
    await go(other, incident("i", { people: [{ name: "Z", number: "0000000009" }] }));
    const { as, calls } = await reportOf(held.one, "i");
    assert.deepEqual([as, calls?.length, dialled(held.tenant)], ["ok", 3, `${before}${"ABC".slice(before.length)}`]);
    assert.deepEqual(held.other.results, []);
  });

  it("go on with it when the one that runs it is killed", async () => {
    const [first] = await startBoth({ ringFor: "4" });
    await go(first, incident("i"));
    await untilDialled(held.tenant, 1);
    await first.stop("SIGKILL");
    const { as, calls, restored } = await reportOf(held.other, "i");
    assert.equal(as, "ok");
    assert.deepEqual(
      calls?.map((call) => call.slice(0, 3)),
      ["1 A", "1 B", "1 C"],
    );
    assert.deepEqual(restored?.left, []);
    assert.equal(dialled(held.tenant), "ABC");
    await eventually(() => held.one.results.length === 0 || undefined);
  });
});
