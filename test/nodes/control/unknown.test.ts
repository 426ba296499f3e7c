import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { command as commandOf } from "../../../src/workshop/admin/tenant-routes";
import { openDecisions } from "../../../src/workshop/admin/waiting-calls";
import { LiveTenant, type Reply } from "../../support/live-tenant";
import { clear, fail, give, load, type Message, pass, redeploy, seen, statusesOf, until } from "../../support/stage";
import { callOut, callsOfTenant, control } from "../schedules/requests";

const CUT = ((response) => response.destroy()) satisfies Reply;
const ONCE = { onceKey: "payload", onceKeyType: "msg" };

/** docs/contract/control.md#unknown-outcomes */
describe("telephony-control: calls whose outcome is unknown", () => {
  const { held, flow, dialled } = callsOfTenant();
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const unknown = async (range = {}) => {
    const listed = (await command({ command: "unknown", ...range })).unknown;
    clear();
    return listed;
  };
  const settle = async (id: unknown, as: unknown) => {
    const { settled, tooLate } = await command({ command: "settle", id, as });
    return `${settled}/${tooLate}`;
  };
  const refusal = async (payload: object) => {
    const { code, cause, message } = await fail({ payload }, "k1");
    return [code, cause["field"], message.replace(/^.*errors\./s, "").replace(/[^\w.].*$/s, "")];
  };
  /** Calls these numbers; no answer comes to the ones that are cut. */
  const called = async (numbers: readonly string[], cut = numbers, id = "n1") => {
    held.tenant.answers(({ body }) => (cut.includes(Object(body)["to.number"]) ? CUT : {}));
    for (const payload of numbers) give({ payload, topic: `t${payload}` }, id);
    await until(() => seen.out.length + seen.caught.length === numbers.length, "all have ended");
    for (const { error } of seen.caught) strictEqual(error.cause.outcome, "unknown");
    held.tenant.answers(() => ({}));
    clear();
  };

  it("are listed, the oldest first, and none else", async () => {
    await load(flow({}, callOut(ONCE), control()));
    const before = Date.now();
    await called(["11", "12", "13"], ["11"]);
    await called(["14"]);
    const listed = await unknown();
    deepStrictEqual(
      listed.map(({ id, sentAt, ...rest }: Record<string, string>) => {
        ok(id && Date.parse(sentAt ?? "") >= before - 1);
        return rest;
      }),
      ["11", "14"].map((number) => {
        return { key: number, nodeId: "n1", number, code: "ERR_CONNECTION_LOST", canCallAgain: true };
      }),
    );
    deepStrictEqual(await unknown({ offset: 1, limit: 5 }), [listed[1]]);
    deepStrictEqual(await unknown({ limit: 1 }), [listed[0]]);
    const { unknown: count, waiting, underWay } = await command("count");
    deepStrictEqual([count, waiting, underWay], [2, { callOut: 0, other: 0 }, 0]);
    deepStrictEqual([(await command("drop")).dropped, (await unknown()).length], [0, 2]);
    strictEqual((await fail({ payload: { command: "unknown", limit: 0 } }, "k1")).cause["field"], "limit");
  });

  it("are called again once each, whoever asks, and however often", async () => {
    await load(flow({ perNumber: "1" }, callOut(ONCE), control()));
    await called(["11", "12", "13"]);
    const [one, two] = await unknown();
    const message = (id: string) => ({ payload: { command: "settle", id, as: "call-again" } });
    give(message(one.id), "k1");
    give(message(one.id), "k1");
    const [first, second] = await Promise.all(
      [1, 2].map(() => commandOf("t1", { command: "settle", id: two.id, as: "call-again" })),
    );
    deepStrictEqual([first?.settled, first?.tooLate, second?.settled, second?.tooLate], [1, 0, 0, 1]);
    await until(() => seen.out.length === 4, "both calls have ended, and both commands");
    deepStrictEqual(new Set(dialled().slice(3)), new Set(["11", "12"]));
    const [answers, calls] = [
      seen.out.filter(({ payload }) => payload?.settled !== undefined),
      seen.out.filter(({ topic }) => topic),
    ];
    const counts = answers.map(({ payload }) => `${payload.settled}/${payload.tooLate}`);
    deepStrictEqual(new Set(counts), new Set(["1/0", "0/1"]));
    for (const { telephony, statusCode } of calls) deepStrictEqual([telephony.again, statusCode], [true, 200]);
    deepStrictEqual(new Set(calls.map(({ topic }) => topic)), new Set(["t11", "t12"]));
    clear();
    deepStrictEqual([(await unknown()).length, (await command("count")).unknown], [1, 1]);
    const { cause } = await fail({ payload: "11" });
    deepStrictEqual((cause["first"] as { outcome: string }).outcome, "applied");
  });

  it("did not ring: their keys and their share of the number are free; or rang: a repetition learns that", async () => {
    await load(flow({ perNumber: "1" }, callOut(ONCE), control()));
    // From the first command on: a status that is shown already is not shown again.
    const statuses = statusesOf("k1");
    await called(["11", "12"]);
    const [one, two] = await unknown();
    strictEqual((await fail({ payload: "11" })).code, "ERR_DUPLICATE");
    deepStrictEqual([await settle(one.id, "did-not-ring"), await settle(one.id, "rang")], ["1/0", "0/1"]);
    await pass({ payload: "11" });
    deepStrictEqual([await settle(two.id, "rang"), await settle(two.id, "call-again")], ["1/0", "0/1"]);
    const settled = { fill: "grey", shape: "dot", text: "settled" };
    await until(() => JSON.stringify(statuses.at(-1)) === JSON.stringify(settled), "the status");
    const { code, cause } = await fail({ payload: "12" });
    deepStrictEqual([code, (cause["first"] as { outcome: string }).outcome], ["ERR_DUPLICATE", "applied"]);
    deepStrictEqual([await settle("none", "rang"), await settle("none", "call-again")], ["0/0", "0/0"]);
    strictEqual(dialled().length, 3);
  });

  it("are not called again without an id, a node, or all of the message; who decides learns why", async () => {
    await load(flow({}, callOut(ONCE), callOut({ id: "n3", toNumber: "11" }), control()));
    await called(["11"]);
    held.tenant.answers(() => CUT);
    give({ payload: "12", topic: Buffer.from("a file") });
    await until(() => seen.caught.length === 1, "it has ended");
    held.tenant.answers(() => ({}));
    clear();
    const [one, two] = await unknown();
    deepStrictEqual([one.canCallAgain, two.canCallAgain], [true, false]);
    const again = { command: "settle", as: "call-again" };
    deepStrictEqual(await refusal(again), ["ERR_INPUT", "id", "input.missing"]);
    deepStrictEqual(await refusal({ ...again, id: one.id, as: "maybe" }), ["ERR_INPUT", "as", "input.notChoice"]);
    deepStrictEqual(await refusal({ ...again, id: two.id }), ["ERR_INPUT", "id", "input.againNoMessage"]);
    await redeploy(flow({}, callOut({ id: "n3", toNumber: "11" }), control()));
    deepStrictEqual(await refusal({ ...again, id: one.id }), ["ERR_INPUT", "id", "input.againNodeGone"]);
    deepStrictEqual([await settle(one.id, "rang"), await settle(two.id, "did-not-ring")], ["1/0", "1/0"]);
    strictEqual(dialled().length, 2);
  });

  it("stay as they are if the new call is refused, with the code of the refusal", async () => {
    await load(flow({}, callOut({ ...ONCE, notAfter: "topic", notAfterType: "msg" }), control()));
    await called([]);
    held.tenant.answers(() => CUT);
    give({ payload: "11", topic: new Date(Date.now() + 3_600_000).toISOString() });
    await until(() => seen.caught.length === 1, "it has ended");
    clear();
    const [{ id }] = await unknown();
    await redeploy(flow({ block: "11", blockType: "list", country: "" }, callOut(ONCE), control()));
    deepStrictEqual((await refusal({ command: "settle", id, as: "call-again" }))[0], "ERR_BLOCKED");
    const [left] = await unknown();
    deepStrictEqual([left.id, left.canCallAgain, (await command("count")).unknown], [id, true, 1]);
    await redeploy(flow({}, callOut(ONCE), control()));
    held.tenant.answers(() => ({}));
    strictEqual((await fail({ payload: "11" })).code, "ERR_DUPLICATE");
    strictEqual(await settle(id, "call-again"), "1/0");
    await until(() => dialled().length === 2, "it is called again");
  });

  it("stay over deploys; after a change of the address they can only be ended", async () => {
    await load(flow({}, callOut(ONCE), control()));
    await called(["11", "12"]);
    await redeploy(flow({ rate: "5" }, callOut(ONCE), control()));
    deepStrictEqual(
      (await unknown()).map(({ canCallAgain }: { canCallAgain: boolean }) => canCallAgain),
      [true, true],
    );
    const other = await LiveTenant.start();
    await redeploy(flow({ url: other.url }, callOut(ONCE), control()));
    const [one, two] = await unknown();
    deepStrictEqual([one.canCallAgain, two.canCallAgain, (await command("count")).unknown], [false, false, 2]);
    deepStrictEqual(await refusal({ command: "settle", id: one.id, as: "call-again" }), [
      "ERR_INPUT",
      "id",
      "input.againMoved",
    ]);
    deepStrictEqual([await settle(one.id, "did-not-ring"), await settle(two.id, "rang")], ["1/0", "1/0"]);
    strictEqual((await unknown()).length, 0);
    strictEqual(other.received.length, 0);
    other.stop();
  });

  it("show the editor three digits of each number", async () => {
    await load(flow({}, callOut(ONCE), control()));
    await called(["0901234567"]);
    const [shown] = (await openDecisions("t1")).calls;
    for (const text of [shown?.number, shown?.key]) strictEqual(text?.match(/\d/g)?.length, 3, String(text));
    await commandOf("t1", { command: "settle", id: (await unknown())[0].id, as: "rang" });
    strictEqual((await openDecisions("t1")).calls.length, 0);
  });

  it("are rows of lists, too: called again by the node's fields, with the end on output 1", async () => {
    const list = callOut({ id: "n3", type: "call-list", toNumber: "payload.number", wires: [["out"], ["closed"]] });
    await load(flow({}, list, control()));
    held.tenant.answers(({ body }) => (Object(body)["to.number"] === "0000000012" ? CUT : {}));
    give({ payload: [{ number: "0000000011" }, { number: "0000000012", name: "b" }] }, "n3");
    await until(() => seen.closed.length === 1, "the list has ended");
    held.tenant.answers(() => ({}));
    const [{ list: summary }] = seen.closed as [{ list: { outcomes: object; list: string } }];
    clear();
    const [{ id, nodeId, canCallAgain }] = await unknown();
    deepStrictEqual([nodeId, canCallAgain], ["n3", true]);
    give({ payload: { command: "settle", id, as: "call-again" } }, "k1");
    await until(() => seen.out.length === 2, "the row has ended, and the command");
    const { payload, list: place, telephony } = seen.out.find((out) => out["telephony"]) as Message;
    deepStrictEqual(payload, { number: "0000000012", name: "b" });
    deepStrictEqual(place, { list: summary.list, index: 2, total: 2 });
    const { again, row: columns } = telephony;
    deepStrictEqual([again, columns["name"], columns["outcome"], columns["code"]], [true, "b", "applied", ""]);
    deepStrictEqual(dialled().map(String).sort(), ["0000000011", "0000000012", "0000000012"]);
    strictEqual(seen.closed.length, 0);
  });
});
