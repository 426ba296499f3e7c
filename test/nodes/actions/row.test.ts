import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { ACCEPTED } from "../../support/live-tenant";
import { fail, flowWith, load, pass, play, withTenant } from "../../support/stage";

/** docs/contract/messages.md#a-row-for-a-table */
describe("the row for a table", () => {
  const held = withTenant();
  const payload = { callId: "c-1", list: ["left out"] };
  const stop = (more: object = {}) =>
    load(flowWith(held.tenant.url, { type: "call-stop", target: "-", ...more }, { timezone: "Asia/Kolkata" }));
  /** The columns that came in with a message. */
  const columnsOf = async (message: object) => {
    const { outcome: _, code: __, reason: ___, at: ____, ...columns } = (await pass(message))["telephony"].row;
    return columns;
  };

  it("has the columns of the payload that came in, then what became of it, in the tenant's zone", async () => {
    await stop({ target: "payload" });
    const before = Date.now();
    const out = await pass({ payload: { ...payload, order: { id: 17, paid: true, by: { name: "An" } } } });
    strictEqual(out.payload, null);
    const { at, ...row } = out["telephony"].row;
    deepStrictEqual(Object.entries(row), [
      ["callId", "c-1"],
      ["order.id", 17],
      ["order.paid", true],
      ["outcome", "applied"],
      ["code", ""],
      ["reason", ""],
    ]);
    strictEqual(Object.keys(out["telephony"].row).at(-1), "at");
    match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+05:30$/);
    ok(Date.parse(at) >= before && Date.parse(at) <= Date.now());
  });

  it("has those of msg.row instead, where that is an object", async () => {
    await stop();
    deepStrictEqual(await columnsOf({ payload, row: { Name: "An", "a.b": 1 } }), { Name: "An", "a.b": 1 });
    for (const row of [["An"], "An", null]) deepStrictEqual(await columnsOf({ payload, row }), { callId: "c-1" });
  });

  it("has own plain properties only, whatever the flow has put there", async () => {
    await stop();
    const circle: Record<string, unknown> = { name: "round", list: [1], at: new Date(), buffer: Buffer.from("x") };
    circle["self"] = circle;
    circle["none"] = null;
    circle["run"] = () => 1;
    circle["big"] = 1n;
    const row = runInNewContext("({ made: { elsewhere: true, deep: { er: 1 } } })");
    row.circle = circle;
    row.inherits = Object.create({ hidden: 1 });
    deepStrictEqual(await columnsOf({ payload, row }), { "made.elsewhere": true, "circle.name": "round" });
    const throwing = Object.defineProperty({ first: 1 }, "bad", { enumerable: true, get: () => JSON.parse("{") });
    strictEqual((await pass({ payload, row: throwing }))["telephony"].row.outcome, "applied");
    const polluted = JSON.parse('{"__proto__": {"outcome": "applied", "polluted": 1}}');
    deepStrictEqual(await columnsOf({ payload, row: polluted }), {
      "__proto__.outcome": "applied",
      "__proto__.polluted": 1,
    });
  });

  it("numbers own columns that are named as those of a result, but for a table that comes back", async () => {
    await stop();
    const own = { code: 9, "code 2": "b", at: "early", order: { code: 1 } };
    const numbered = { "code 3": 9, "code 2": "b", "at 2": "early", "order.code": 1 };
    deepStrictEqual(await columnsOf({ payload, row: own }), numbered);
    deepStrictEqual(
      await columnsOf({ payload, row: { ...numbered, outcome: "", code: "", reason: "", at: "" } }),
      numbered,
    );
  });

  it("has at most 100 columns of the message", async () => {
    await stop();
    const row = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`c${index}`, index]));
    const columns = await columnsOf({ payload, row });
    deepStrictEqual([Object.keys(columns).length, columns.c99, columns.c100], [100, 99, undefined]);
  });

  it("is added to what an earlier node has left in msg.telephony, at a Catch, and to nothing else", async () => {
    held.tenant.answers(() => ({ status: 422, body: { ...ACCEPTED, success: false } }));
    await stop();
    const telephony = Object.freeze({ action: "call-stop", row: { outcome: "applied" } });
    const { caught } = await play({ _msgid: "m1", payload, row: { id: 1 }, telephony });
    const { error, telephony: left, ...rest } = caught[0] ?? {};
    deepStrictEqual(rest, { _msgid: "m1", payload, row: { id: 1 } });
    const { at, reason, ...row } = left?.row ?? {};
    deepStrictEqual([left?.action, row], ["call-stop", { id: 1, outcome: "rejected", code: "ERR_REJECTED" }]);
    match(reason, /status\.ERR_REJECTED$/);
    ok(Date.parse(at) > 0 && error.code === "ERR_REJECTED");
  });

  it("is there where nothing could be sent: without a tenant, and for a frozen message nothing breaks", async () => {
    await load(flowWith(held.tenant.url, { type: "call-stop", tenant: "gone" }));
    const { caught } = await play({ payload: { callId: "c-1" } });
    const { callId, outcome, code, reason } = caught[0]?.["telephony"].row ?? {};
    deepStrictEqual([callId, outcome, code], ["c-1", "not-applied", "ERR_CONFIG"]);
    match(reason, /status\.ERR_CONFIG$/);
    strictEqual((await fail(Object.freeze({ payload: { callId: "c-1" } }))).code, "ERR_CONFIG");
  });
});
