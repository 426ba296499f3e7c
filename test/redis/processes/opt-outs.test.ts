import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Campaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import type { NodeRed } from "../../support/process/node-red";
import { control, optOutFlow, REFUSED, resultOf } from "../../support/process/opt-out-flow";
import { sharing } from "../../support/process/sharing";

const NUMBER = "0901 234 567";
const IN_PLUS = "+84901234567";

/** docs/contract/control.md#never-again */
describe("a blocked number in a group of Node-REDs", () => {
  const held = sharing();

  const started = async (campaign: Campaign): Promise<NodeRed> => {
    const nodeRed = await campaign.start();
    const credentials = { token: "token-of-the-group", redisUrl: held.redis.url };
    await nodeRed.deploy(
      optOutFlow({ url: held.tenant.url, engine: "redis", group: `group ${held.group}`, credentials }),
    );
    return nodeRed;
  };
  const listed = async (nodeRed: NodeRed) =>
    (await control(nodeRed, "blocked")).blocked.map(({ number }: { number: string }) => number);

  it("is blocked on all as soon as one has answered, and is unblocked on all", async () => {
    const [one, other] = await Promise.all([started(held.one), started(held.other)]);
    strictEqual((await control(one, "block", { number: NUMBER, reason: "asked" })).changed, 1);
    strictEqual(await resultOf(other, "/transfer", IN_PLUS), REFUSED);
    strictEqual((await control(other, "block", { number: IN_PLUS, reason: "asked" })).changed, 0);
    deepStrictEqual([await listed(one), await listed(other)], [[NUMBER], [NUMBER]]);
    strictEqual((await control(other, "unblock", { number: IN_PLUS })).changed, 1);
    strictEqual(await resultOf(one, "/transfer", NUMBER), "ok");
    deepStrictEqual([await listed(one), await listed(other)], [[], []]);
  });

  it("stays blocked for who was away, while Redis is away, and when Redis has forgotten", async () => {
    const one = await started(held.one);
    await control(one, "block", { number: NUMBER });
    const other = await started(held.other);
    strictEqual(await resultOf(other, "/transfer", IN_PLUS), REFUSED);
    await held.redis.kill();
    strictEqual(await resultOf(other, "/transfer", IN_PLUS), REFUSED);
    strictEqual((await control(other, "unblock", { number: NUMBER })).code, "ERR_ENGINE");
    await held.redis.restart();
    await held.redis.command("FLUSHALL");
    // Only one of them knows it, after a new start of the other one without what it had.
    await other.stop("SIGKILL");
    held.other.clear();
    await eventually(async () => Number(await held.redis.command("EXISTS", ...(await blockedKeys()))) || undefined);
    const again = await started(held.other);
    strictEqual(await resultOf(again, "/transfer", IN_PLUS), REFUSED);
    deepStrictEqual(await listed(again), [NUMBER]);
  });

  const blockedKeys = async (): Promise<string[]> => {
    const keys = (await held.redis.command("KEYS", "*:blocked")) as string[];
    return keys.length > 0 ? keys : ["none"];
  };
});
