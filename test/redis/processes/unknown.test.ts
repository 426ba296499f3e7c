import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { go, logged, placed, placedAll } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { sharing } from "../../support/process/sharing";
import { type Answer, decide, unknownFlow, unknownOf } from "../../support/process/unknown-calls";

const ONCE = { onceKey: "payload.id", onceKeyType: "msg", onceScope: "tenant" };

/** docs/contract/control.md#unknown-outcomes */
describe("calls that may have rung, of Node-REDs that share a Redis", () => {
  const held = sharing();
  const flow = () => {
    const credentials = { token: "a-token", redisUrl: held.redis.url };
    const shared = { engine: "redis", group: `group ${held.group}`, credentials };
    return unknownFlow({ url: held.tenant.url, onTrouble: "fail", concurrency: "20", ...shared }, { node: ONCE });
  };
  const start = async (campaign: typeof held.one) => {
    const nodeRed = await campaign.start();
    await nodeRed.deploy(flow());
    return nodeRed;
  };
  const startBoth = () => Promise.all([start(held.one), start(held.other)]);
  const answerAllBut = (prefix: string) =>
    held.tenant.answers(({ text }) =>
      String(JSON.parse(text)["to.alias"]).startsWith(prefix) ? (response) => response.destroy() : {},
    );
  const seven = Array.from({ length: 7 }, (_, index) => `lost-${index}`);
  /** Loses the answers to seven of 30 calls of both. */
  const loseSeven = async (one: Awaited<ReturnType<typeof start>>, other: typeof one) => {
    answerAllBut("lost");
    const fine = Array.from({ length: 23 }, (_, index) => `fine-${index}`);
    await go(one, ...fine.slice(0, 12), ...seven.slice(0, 4));
    await go(other, ...fine.slice(12), ...seven.slice(4));
    await eventually(() => held.one.results.length + held.other.results.length === 30 || undefined);
    answerAllBut("none");
  };

  it("are listed by each, decided once, and outlive all of them", async () => {
    const [one, other] = await startBoth();
    await loseSeven(one, other);
    const listed = await unknownOf(one);
    assert.deepEqual(listed.map(({ key }) => key).sort(), seven);
    assert.deepEqual(await unknownOf(other), listed);
    const both = listed
      .slice(0, 3)
      .flatMap(({ id }) => [one, other].map((nodeRed) => decide(nodeRed, { id, as: "call-again" })));
    const answers = await Promise.all(both);
    assert.equal(answers.filter(({ settled }) => settled === 1).length, 3);
    assert.equal(answers.filter(({ tooLate }) => tooLate === 1).length, 3);
    await placedAll(held.tenant, 33);
    await eventually(() => held.one.results.length + held.other.results.length === 33 || undefined);
    const [, , , fourth, fifth] = listed;
    assert.equal((await decide(other, { id: fourth?.id, as: "did-not-ring" })).settled, 1);
    assert.equal((await decide(one, { id: fourth?.id, as: "rang" })).tooLate, 1);
    assert.equal(await (await one.post("/hook", { id: fourth?.key })).text(), "ok");
    assert.equal((await decide(one, { id: fifth?.id, as: "rang" })).settled, 1);
    assert.equal(await (await other.post("/hook", { id: fifth?.key })).text(), "ERR_DUPLICATE");
    await Promise.all([one.stop("SIGKILL"), other.stop("SIGKILL")]);

    const next = await held.other.start();
    await eventually(() => logged(next, "Started flows").length > 0 || undefined);
    assert.deepEqual(await eventually(() => unknownOf(next).catch(() => undefined)), listed.slice(5));
    assert.equal((await decide(next, { id: fifth?.id, as: "call-again" })).tooLate, 1);
    assert.equal(placed(held.tenant).length, 34);
  });

  it("are decided once, also in a Redis that comes back from an older copy", async () => {
    const [one, other] = await startBoth();
    await loseSeven(one, other);
    const [first, second, ...rest] = await unknownOf(one);
    const copy = `${held.redis.folder}-copy`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(held.redis.folder, copy, { recursive: true });
    assert.equal((await decide(one, { id: first?.id, as: "call-again" })).settled, 1);
    assert.equal((await decide(one, { id: second?.id, as: "did-not-ring" })).settled, 1);
    await placedAll(held.tenant, 31);
    await held.redis.kill();
    rmSync(held.redis.folder, { recursive: true });
    cpSync(copy, held.redis.folder, { recursive: true });
    await held.redis.restart();
    const works = (answer: Answer) => (answer.error === undefined ? answer : undefined);
    for (const nodeRed of [one, other]) {
      const again = await eventually(async () => works(await decide(nodeRed, { id: first?.id, as: "call-again" })));
      assert.deepEqual([again.settled, again.tooLate], [0, 1]);
      assert.equal((await decide(nodeRed, { id: second?.id, as: "call-again" })).tooLate, 1);
      assert.deepEqual(
        (await unknownOf(nodeRed)).map(({ id }) => id),
        rest.map(({ id }) => id),
      );
    }
    assert.equal(await (await other.post("/hook", { id: second?.key })).text(), "ok");
    assert.equal(placed(held.tenant).length, 32);
  });
});
