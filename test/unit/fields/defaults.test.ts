import { deepStrictEqual, rejects } from "node:assert/strict";
import { boolean, required, text, withDefault } from "../../../src/fields";
import { callId } from "../../../src/runtime/nodes/action/declaration";
import { readerOf, refusal } from "./host";

const NUMBER = { "to.number": text() };
const CALL = { callId: callId() };
const ENABLED = { enabled: withDefault(boolean({ fallbacks: [["payload", "enable"]] }), true) };

/** The mapping of a node whose dialog is empty. */
describe("default mapping", () => {
  class Party {
    number = "own";
  }
  class Inherited {
    get number() {
      return "inherited";
    }
  }

  const TABLE: readonly [title: string, fields: Parameters<typeof readerOf>[0], message: object, expected: object][] = [
    ["reads payload.<field>", NUMBER, { payload: { to: { number: "5" } } }, { "to.number": "5" }],
    ["reads the interface's dotted spelling", NUMBER, { payload: { "to.number": "5" } }, { "to.number": "5" }],
    [
      "prefers the path to the dotted spelling",
      NUMBER,
      { payload: { to: { number: "5" }, "to.number": "6" } },
      { "to.number": "5" },
    ],
    [
      "reads the dotted spelling past a party without a number",
      NUMBER,
      { payload: { to: { type: "x" }, "to.number": "6" } },
      { "to.number": "6" },
    ],
    [
      "reads the dotted spelling past a party that is a text",
      NUMBER,
      { payload: { to: "Ann", "to.number": "6" } },
      { "to.number": "6" },
    ],
    [
      "lets an empty path stand before a dotted spelling",
      NUMBER,
      { payload: { to: { number: "" }, "to.number": "6" } },
      {},
    ],
    [
      "lets a null path stand before a dotted spelling",
      NUMBER,
      { payload: { to: { number: null }, "to.number": "6" } },
      {},
    ],
    ["gives nothing without a payload", NUMBER, {}, {}],
    ["gives nothing of a null payload", NUMBER, { payload: null }, {}],
    ["gives nothing of a text payload", NUMBER, { payload: "to.number" }, {}],
    ["reads own properties of objects of any class", NUMBER, { payload: { to: new Party() } }, { "to.number": "own" }],
    ["reads no inherited property", NUMBER, { payload: { to: new Inherited() } }, {}],
    ["reads no inherited payload", NUMBER, Object.create({ payload: { to: { number: "5" } } }), {}],
    ["reads nothing through a prototype", NUMBER, { payload: JSON.parse('{"__proto__":{"to":{"number":"5"}}}') }, {}],
    ["finds the call in the payload first", CALL, { payload: { callId: "a" }, callId: "b" }, { callId: "a" }],
    ["finds the call in msg.callId else", CALL, { payload: null, callId: "b" }, { callId: "b" }],
    ["sends enabled as true when it is not given", ENABLED, { payload: {} }, { enabled: true }],
    ["reads enabled", ENABLED, { payload: { enabled: "off", enable: 1 } }, { enabled: false }],
    ["reads enable, the name in what was read", ENABLED, { payload: { enable: 0 } }, { enabled: false }],
  ];
  for (const [title, fields, message, expected] of TABLE) {
    it(title, async () => deepStrictEqual({ ...(await readerOf(fields, {})(message)) }, expected));
  }

  it("applies to a typed input with the same path, fallbacks included", async () => {
    const number = { toNumber: "payload.to.number", toNumberType: "msg" };
    deepStrictEqual(await readerOf(NUMBER, number)({ payload: { "to.number": "5" } }), { "to.number": "5" });
    const call = { callId: "payload.callId", callIdType: "msg" };
    deepStrictEqual(await readerOf(CALL, call)({ payload: {}, callId: "b" }), { callId: "b" });
    const enabled = { enabled: "payload.enabled", enabledType: "msg" };
    deepStrictEqual(await readerOf(ENABLED, enabled)({ payload: { enable: "0" } }), { enabled: false });
  });

  it("has no fallback for a typed input with another path", async () => {
    deepStrictEqual(
      await readerOf(CALL, { callId: "", callIdType: "msg" })({ payload: { callId: "a" }, callId: "b" }),
      {},
    );
    deepStrictEqual(await readerOf(CALL, { callId: "payload.call", callIdType: "msg" })({ callId: "b" }), {});
    deepStrictEqual(await readerOf(CALL, { callId: "12" })({ callId: "b" }), { callId: "12" });
  });

  it("applies if the flow file has a type without a value", async () => {
    deepStrictEqual(await readerOf(NUMBER, { toNumberType: "flow" })({ payload: { to: { number: "5" } } }), {
      "to.number": "5",
    });
  });

  const SOURCES: readonly [message: object, source: string][] = [
    [{ payload: {} }, "msg.payload.to.number"],
    [{ payload: { to: { number: true } } }, "msg.payload.to.number"],
    [{ payload: { "to.number": true } }, 'msg.payload["to.number"]'],
  ];
  for (const [message, source] of SOURCES) {
    it(`names ${source} in an error`, () =>
      rejects(readerOf({ "to.number": required(text()) }, {})(message), refusal("to.number", source)));
  }

  it("says so if the payload is JSON that nobody has parsed", async () => {
    const read = readerOf({ "to.number": required(text()) }, {});
    await rejects(read({ payload: '{"to":{"number":"5"}}' }), { key: "input.payloadIsText", path: "to.number" });
    await rejects(read({ payload: "{hello" }), { key: "input.missing" });
    const spoken = readerOf({ text: text() }, { text: "Hi {{payload.name}}", textType: "mustache" });
    await rejects(spoken({ payload: '{"name":"Ada"}' }), { key: "input.payloadIsText", path: "text" });
    const elsewhere = readerOf({ text: required(text()) }, { text: "customer.name", textType: "msg" });
    await rejects(elsewhere({ payload: '{"name":"Ada"}' }), { key: "input.missing", path: "text" });
  });
});
