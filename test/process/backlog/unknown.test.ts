import assert from "node:assert/strict";
import { type Call, go, placed, placedAll, withCampaign } from "../../support/process/campaign";
import { eventually } from "../../support/process/eventually";
import { decide, unknownFlow, unknownOf } from "../../support/process/unknown-calls";

const ONCE = { onceKey: "payload.id", onceKeyType: "msg" };

/** docs/contract/control.md#unknown-outcomes */
describe("calls that may have rung, in a file", () => {
  const held = withCampaign();
  const flow = (node: Record<string, unknown> = ONCE) =>
    unknownFlow({ url: held.tenant.url, onTrouble: "fail", concurrency: "20" }, { node });
  const start = async (node?: Record<string, unknown>) => {
    const nodeRed = await held.campaign.start();
    await nodeRed.deploy(flow(node));
    return nodeRed;
  };
  const ids = Array.from({ length: 30 }, (_, index) => `call-${index}`);
  const cut = ids.filter((_, index) => index % 4 === 1).slice(0, 7);
  /** Answers all calls but those that are cut. */
  const answerAllBut = (lost: readonly string[]) =>
    held.tenant.answers(({ text }) =>
      lost.includes(JSON.parse(text)["to.alias"]) ? (response) => response.destroy() : {},
    );

  it("are listed over a kill, called again once by whoever asks, and their keys given back", async () => {
    answerAllBut(cut);
    const first = await start();
    await go(first, ...ids);
    await held.campaign.resultsOf(30);
    const listed = await unknownOf(first);
    assert.deepEqual(listed.map(({ key }) => key).sort(), [...cut].sort());
    for (const { code, canCallAgain, nodeId } of listed)
      assert.deepEqual([code, canCallAgain, nodeId], ["ERR_CONNECTION_LOST", true, "call"]);
    await first.stop("SIGKILL");

    const second = await held.campaign.start();
    await eventually(async () => (await unknownOf(second)).length === 7 || undefined);
    assert.deepEqual(await unknownOf(second), listed);
    answerAllBut([]);
    const again = listed.slice(0, 3);
    // Each twice, by two clients at once.
    const answers = await Promise.all(
      again.flatMap(({ id }) => [1, 2].map(() => decide(second, { id, as: "call-again" }))),
    );
    assert.deepEqual(answers.filter(({ settled }) => settled === 1).length, 3);
    assert.deepEqual(answers.filter(({ tooLate }) => tooLate === 1).length, 3);
    await held.campaign.resultsOf(33);
    assert.deepEqual(placed(held.tenant).slice(30).sort(), again.map(({ key }) => key).sort());
    const results = held.campaign.results.slice(30);
    for (const { as, restored, message } of results) {
      const { telephony } = message as { telephony: { again: unknown } };
      assert.deepEqual([as, restored, telephony.again], ["ok", undefined, true]);
    }
    await second.stop("SIGKILL");

    const third = await held.campaign.start();
    await eventually(async () => (await unknownOf(third)).length === 4 || undefined);
    assert.deepEqual(await unknownOf(third), listed.slice(3));
    for (const { id } of again) assert.equal((await decide(third, { id, as: "call-again" })).tooLate, 1);
    const [, , , silent, other] = listed;
    assert.equal((await decide(third, { id: silent?.id, as: "did-not-ring" })).settled, 1);
    assert.equal((await decide(third, { id: other?.id, as: "rang" })).settled, 1);
    assert.equal(await (await third.post("/hook", { id: silent?.key })).text(), "ok");
    assert.equal(await (await third.post("/hook", { id: other?.key })).text(), "ERR_DUPLICATE");
    assert.equal(placed(held.tenant).length, 34);
    await third.deploy(flow().filter(({ id: node }) => node !== "call"));
    const { error } = await decide(third, { id: listed[5]?.id, as: "call-again" });
    assert.match(String(error), /Cannot be called again: the node of the call no longer exists/);
    assert.equal((await unknownOf(third)).length, 2);
  });

  it("are those in flight at a kill, too, and those of a stop; what a message had of its request does not count", async () => {
    const release = held.tenant.hold(() => (response) => response.destroy());
    const first = await start();
    void first.post("/hook", { id: "killed" }).catch(() => {});
    await placedAll(held.tenant, 1);
    await first.stop("SIGKILL");
    const second = await held.campaign.start();
    const [killed] = await eventually(async () => {
      const listed = await unknownOf(second);
      return listed.length === 1 ? listed : undefined;
    });
    assert.deepEqual(
      [killed?.key, killed?.code, killed?.sentAt, killed?.canCallAgain],
      ["killed", "ERR_CONNECTION_LOST", null, true],
    );
    const large: Call = { id: "large", note: "x".repeat(70_000) };
    await go(second, large, "stopped");
    await placedAll(held.tenant, 3);
    const stopped = second.stop("SIGTERM");
    await second.prints("Stopping flows");
    release();
    await stopped;
    const third = await held.campaign.start();
    const listed = await eventually(async () => {
      const found = await unknownOf(third);
      return found.length === 3 ? found : undefined;
    });
    assert.deepEqual(
      new Map(listed.map(({ key, canCallAgain }) => [key, canCallAgain])),
      new Map([
        ["killed", true],
        ["large", false],
        ["stopped", true],
      ]),
    );
    held.tenant.answers(() => ({}));
    assert.equal((await decide(third, { id: killed?.id, as: "call-again" })).settled, 1);
    assert.deepEqual((await placedAll(held.tenant, 4)).at(-1), "killed");
  });
});
