import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { utimesSync } from "node:fs";
import { eventually, LONG_MS } from "../../support/process/eventually";
import {
  callAgain,
  calledNumbers,
  callList,
  cutOffRows,
  filesOf,
  linesOf,
  listFlow,
  listsOf,
  mistakesOf,
  numbersOf,
  recorded,
  tables,
} from "../../support/process/list-flow";
import { sharing } from "../../support/process/sharing";

const ROWS = 60;

/** docs/contract/list.md#deploys-and-restarts */
describe("Node-REDs that share a Redis, of which one calls a list", () => {
  const held = sharing();

  const start = async (campaign: typeof held.one) => {
    const credentials = { token: "token-of-the-list", redisUrl: held.redis.url };
    const shared = { engine: "redis", group: `lists ${held.group}`, concurrency: "2", credentials };
    const nodeRed = await campaign.start();
    await nodeRed.deploy(listFlow({ url: held.tenant.url, ...shared }));
    return nodeRed;
  };

  it("leave its rows to it when it is killed: it goes on when it returns, each row once", async () => {
    const [first, other] = await Promise.all([start(held.one), start(held.other)]);
    held.tenant.delayMs = 20;
    await callList(first, numbersOf(ROWS));
    await eventually(() => calledNumbers(held.tenant).length >= 10 || undefined);
    await first.stop("SIGKILL");
    const before = calledNumbers(held.tenant).length;
    const cutOff = cutOffRows(held.one);
    // The other one has taken over what was in flight, and goes on with calls of its own.
    await eventually(async () => {
      const counts = await (await other.get("/telephony/tenant/tenant/control")).json();
      return (counts as { readonly waiting: { readonly callOut: number } }).waiting.callOut === 0 || undefined;
    }, LONG_MS);
    await other.post("/go", { number: "0000099999" });
    await eventually(() => calledNumbers(held.tenant).includes("0000099999") || undefined, LONG_MS);
    ok(calledNumbers(held.tenant).length <= before + 1 + 2, "the other one has called rows");
    deepStrictEqual(recorded(held.other).rows, []);

    // Without a deploy, which loses messages that are between two nodes.
    await held.one.start();
    await tables(held.one);
    const { "told by no message": untold, ...mistakes } = mistakesOf(held.one, held.tenant, ROWS);
    deepStrictEqual(
      Object.entries(mistakes).filter(([, count]) => count > 0),
      [],
    );
    strictEqual(untold, cutOff.length);
    const unknown = recorded(held.one).tables[0]?.payload.filter(({ outcome }) => outcome === "unknown") ?? [];
    for (const { code } of unknown) ok(["ERR_CONNECTION_LOST", ""].includes(code));
    deepStrictEqual(recorded(held.other).tables, []);
  });

  it("is held back after a long stop, over further starts, until somebody resumes", async () => {
    const [first, other] = await Promise.all([start(held.one), start(held.other)]);
    const release = held.tenant.hold();
    await callList(first, numbersOf(ROWS));
    await eventually(() => calledNumbers(held.tenant).length === 2 || undefined);
    await first.stop("SIGKILL");
    release();
    // The other one takes over, long before the stop is long.
    await eventually(async () => {
      const { calls } = await (await other.get("/telephony/tenant/tenant/unknown")).json();
      return calls.length === 2 || undefined;
    }, LONG_MS);
    const [file = ""] = filesOf(held.one);
    const then = Date.now() / 1000 - 16 * 60;
    utimesSync(file, then, then);
    for (const next of ["0000099998", "0000099999"]) {
      const nodeRed = await held.one.start();
      await eventually(async () => (await listsOf(nodeRed))[0]?.heldBack || undefined);
      // A new call goes on, and ends later than a row would begin.
      await nodeRed.post("/go", { number: next });
      await eventually(() => calledNumbers(held.tenant).includes(next) || undefined, LONG_MS);
      strictEqual((await listsOf(nodeRed))[0]?.heldBack, true);
      if (next === "0000099998") await nodeRed.stop();
      else await nodeRed.post("/telephony/tenant/tenant/control", { command: "resume" }, { origin: nodeRed.url });
    }
    strictEqual(calledNumbers(held.tenant).length, 2 + 2);
    await tables(held.one);
    const called = calledNumbers(held.tenant);
    deepStrictEqual([called.length, new Set(called).size], [ROWS + 2, ROWS + 2]);
  });

  it("may each call a row again that was in flight, on output 1; the table stays as it is", async () => {
    const [first, other] = await Promise.all([start(held.one), start(held.other)]);
    const release = held.tenant.hold();
    await callList(first, numbersOf(1));
    await eventually(() => calledNumbers(held.tenant).length === 1 || undefined);
    await first.stop("SIGKILL");
    release();
    deepStrictEqual(await eventually(async () => (await callAgain(other))[0], LONG_MS), ["list", true]);
    const [row] = await eventually(() =>
      recorded(held.other).rows.length > 0 ? recorded(held.other).rows : undefined,
    );
    deepStrictEqual([row?.index, row?.outcome], [1, "applied"]);
    await held.one.start();
    const [table] = await tables(held.one);
    deepStrictEqual(
      table?.payload.map(({ outcome }) => outcome),
      ["unknown"],
    );
    deepStrictEqual(recorded(held.other).tables, []);
    const [{ number } = { number: "" }] = numbersOf(1);
    deepStrictEqual(calledNumbers(held.tenant), [number, number]);
  });

  it("call nobody more once it was stopped, although Redis is away then", async () => {
    const nodeRed = await start(held.one);
    const release = held.tenant.hold();
    await callList(nodeRed, numbersOf(20));
    await eventually(() => calledNumbers(held.tenant).length === 2 || undefined);
    await held.redis.kill();
    // Answered now, or when Redis is back.
    const answer = nodeRed.post("/telephony/list/list/stop", {}, { origin: nodeRed.url });
    await eventually(() => linesOf(held.one).includes('{"stopped":"button"}') || undefined);
    release();
    await held.redis.restart();
    strictEqual((await answer).status, 200);
    const [table] = await tables(held.one);
    strictEqual(calledNumbers(held.tenant).length, 2);
    deepStrictEqual(
      table?.payload.slice(2).map(({ outcome, code }) => [outcome, code]),
      Array.from({ length: 18 }, () => ["not-applied", "ERR_DROPPED"]),
    );
  });
});
