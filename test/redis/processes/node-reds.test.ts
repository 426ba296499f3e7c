import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { campaignFlow, control, go, logged, placed, placedAll, shown } from "../../support/process/campaign";
import { eventually, LONG_MS } from "../../support/process/eventually";
import type { NodeRed } from "../../support/process/node-red";
import { sharing } from "../../support/process/sharing";
import { installSlowNode, SLOW_NODE } from "../../support/process/slow-node";

describe("Node-REDs that share a backlog", () => {
  const held = sharing();

  /** A flow with a token of its own for each Node-RED, so that the tenant sees which one has placed a call. */
  const flow = (token: string, settings: object = {}, node?: Record<string, unknown>) => {
    const credentials = { token: `token-of-${token}`, redisUrl: held.redis.url };
    const shared = { engine: "redis", group: `group ${held.group}`, credentials };
    return campaignFlow({ url: held.tenant.url, concurrency: "4", ...shared, ...settings }, node ? { node } : {});
  };
  const start = async (campaign: typeof held.one, token: string, settings: object = {}, environment = {}) => {
    const nodeRed = await campaign.start(environment);
    await nodeRed.deploy(flow(token, settings));
    return nodeRed;
  };
  /** The counts of a Node-RED also have what is just being accepted. */
  const waitingInRedis = async () => {
    const keys = (await held.redis.command("KEYS", "*:waiting:*")) as string[];
    const counts = await Promise.all(keys.map((key) => held.redis.command("ZCARD", key)));
    return counts.reduce<number>((sum, count) => sum + Number(count), 0);
  };
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const hook = async (nodeRed: NodeRed, id: string) => (await nodeRed.post("/hook", { id })).text();

  it("refuse new calls while Redis is away, go on with those that wait, and recover by themselves", async () => {
    const nodeRed = await start(held.one, "one");
    await control(nodeRed, "pause");
    await go(nodeRed, "waiting");
    await eventually(async () => (await waitingInRedis()) === 1 || undefined);
    await held.redis.kill();
    await go(nodeRed, "refused");
    const [result] = await held.one.resultsOf(1);
    assert.deepEqual(
      [result?.id, result?.as, result?.outcome, result?.sent],
      ["refused", "ERR_ENGINE", "not-applied", "no"],
    );
    await eventually(async () => /no backlog/.test((await shown(nodeRed)).text ?? "") || undefined);
    assert.equal((await shown(nodeRed)).fill, "red");
    await held.redis.restart();
    await eventually(() => nodeRed.log.includes("the backlog works again") || undefined);
    await control(nodeRed, "resume");
    assert.equal(await hook(nodeRed, "later"), "ok");
    await held.one.resultsOf(3);
    assert.deepEqual(held.one.ends, { refused: "ERR_ENGINE", waiting: "ok", later: "ok" });
    assert.deepEqual(placed(held.tenant), ["waiting", "later"]);
  });

  it("tell each call once through redeploys, changed settings and changed nodes of both", async () => {
    // Otherwise Node-RED itself loses messages that are between two nodes when a deploy stops them.
    const direct = { SYNC_DELIVERY: "1" };
    const both = await Promise.all([start(held.one, "one", {}, direct), start(held.other, "other", {}, direct)]);
    held.tenant.delayMs = 20;
    const sent: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      for (const [index, nodeRed] of both.entries()) {
        const ids = names(`call-${round}-${index}-`, 8);
        sent.push(...ids);
        await go(nodeRed, ...ids);
      }
      const settings = { timeout: String(20 + round) };
      await Promise.all(
        both.map((nodeRed, index) => nodeRed.deploy(flow(index ? "other" : "one", settings, { name: `${round}` }))),
      );
    }
    await eventually(() => held.one.results.length + held.other.results.length >= sent.length || undefined);
    const ends = { ...held.one.ends, ...held.other.ends };
    assert.deepEqual(Object.keys(ends).sort(), [...sent].sort());
    assert.deepEqual(new Set(Object.values(ends)), new Set(["ok"]));
    assert.deepEqual([...placed(held.tenant)].sort(), [...sent].sort());
  });

  it("name in the log the result that a deploy was holding when Node-RED was killed", async () => {
    installSlowNode(held.one.folder);
    const first = await held.one.start();
    const flows = [...flow("one"), SLOW_NODE];
    await first.deploy(flows);
    const release = held.tenant.hold();
    await go(first, "held");
    await placedAll(held.tenant, 1);
    const stops = first.prints("Stopping flows");
    first.deploy(flows).catch(() => {});
    await stops;
    release();
    await eventually(
      async () => ((await held.redis.command("KEYS", "*:ended:*")) as string[]).length === 1 || undefined,
    );
    // What is forgotten is written within a renewal of the lease.
    const [state = ""] = (await held.redis.command("KEYS", "*:state")) as string[];
    for (const _ of [1, 2]) {
      const beat = await held.redis.command("HGET", state, "beat");
      await eventually(async () => (await held.redis.command("HGET", state, "beat")) !== beat || undefined);
    }
    await first.stop("SIGKILL");
    const second = await held.one.start();
    await eventually(() => /\[warn\].* held\b.*Outcome: applied/.test(second.log) || undefined, LONG_MS);
    assert.deepEqual([held.one.ends, placed(held.tenant)], [{}, ["held"]]);
  });

  it("hold back what a copy of Redis shows as waiting, if this Node-RED has called it since", async () => {
    const dated = { notBefore: "payload.at", notBeforeType: "msg" };
    const first = await held.one.start();
    await first.deploy(flow("one", {}, dated));
    await go(first, { id: "called", at: Date.now() + 6000 });
    await eventually(async () => (await waitingInRedis()) === 1 || undefined);
    cpSync(held.redis.folder, `${held.redis.folder}-copy`, { recursive: true });
    await held.one.resultsOf(1);
    await first.stop("SIGTERM");
    await held.redis.kill();
    rmSync(held.redis.folder, { recursive: true });
    cpSync(`${held.redis.folder}-copy`, held.redis.folder, { recursive: true });
    await held.redis.restart();
    const second = await held.one.start();
    await eventually(() => second.log.includes("held back: 1.") || undefined);
    await go(second, { id: "new", at: Date.now() });
    await held.one.resultsOf(2);
    assert.deepEqual(placed(held.tenant), ["called", "new"]);
  });

  it("end what waits in a group that its tenant has left", async () => {
    const nodeRed = await start(held.one, "one");
    await control(nodeRed, "pause");
    await go(nodeRed, "a", "b");
    await eventually(async () => (await control(nodeRed, "count")).waiting.callOut === 2 || undefined);
    await nodeRed.deploy(flow("one", { group: "another" }));
    await held.one.resultsOf(2);
    assert.deepEqual(held.one.ends, { a: "ERR_CONFIG", b: "ERR_CONFIG" });
    assert.deepEqual(placed(held.tenant), []);
  });

  it("drop what waits for a node whose id goes to one of another type, at a deploy and at a start", async () => {
    const stopping = { type: "call-stop" };
    let nodeRed = await start(held.one, "one");
    await control(nodeRed, "pause");
    for (const change of [
      () => nodeRed.deploy(flow("one", {}, stopping)),
      async () => {
        await nodeRed.stop();
        held.one.edit((node) => (node.id === "call" ? { ...node, ...stopping } : node));
        nodeRed = await held.one.start();
      },
    ]) {
      await nodeRed.deploy(flow("one"));
      await go(nodeRed, "a", "b");
      await eventually(async () => (await waitingInRedis()) === 2 || undefined);
      await change();
      await eventually(async () => (await waitingInRedis()) === 0 || undefined);
      await eventually(() => logged(nodeRed, "[warn]", "call-out (call)", /\b2\b/).length === 1 || undefined);
    }
    await control(nodeRed, "resume");
    assert.deepEqual([placed(held.tenant), held.one.results], [[], []]);
  });

  it("make up for what a deploy could not tell Redis while it was away", async () => {
    const nodeRed = await start(held.one, "one");
    await control(nodeRed, "pause");
    await go(nodeRed, "of a node that is gone");
    await eventually(async () => (await waitingInRedis()) === 1 || undefined);
    await held.redis.kill();
    await eventually(async () => /no backlog/.test((await shown(nodeRed)).text ?? "") || undefined);
    // Nothing was dropped, so the command fails, and the flow answers nothing.
    control(nodeRed, "drop").catch(() => {});
    await eventually(() => logged(nodeRed, "telephony-control", "ERR_ENGINE").length > 0 || undefined);
    await nodeRed.deploy(flow("one").filter(({ id }) => id !== "call"));
    await held.redis.restart();
    await eventually(async () => (await control(nodeRed, "count")).waiting.callOut === 0 || undefined);
    assert.deepEqual(placed(held.tenant), []);
  });
});
