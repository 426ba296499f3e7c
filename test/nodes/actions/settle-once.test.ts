import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NodeContext, NodeMessage } from "node-red";
import { GOOD_PAYLOAD } from "../../interface/requests";
import { fail, flowWith, load, nodeOf, play, warnings, withTenant } from "../../support/stage";

/** Proves that whatever comes, the process lives and each message ends exactly once. */
describe("every message", () => {
  const held = withTenant();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => {
    unhandled.push(reason);
  };
  before(() => process.on("unhandledRejection", note));
  after(() => process.off("unhandledRejection", note));
  afterEach(() => {
    deepStrictEqual(unhandled.splice(0), []);
  });

  const ODD: readonly [title: string, message: unknown][] = [
    ["a null payload", { payload: null }],
    ["no payload", {}],
    ["a frozen message", Object.freeze({ _msgid: "m", payload: 5 })],
    ["1 MB of text", { payload: { callId: "x".repeat(1_000_000) } }],
    ["an unsafe integer", { payload: { callId: 2 ** 60 } }],
    ["a symbol for an id", { _msgid: Symbol("id"), payload: {} }],
  ];
  for (const [title, message] of ODD) {
    it(`is ERR_INPUT that names the field: ${title}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-stop" }));
      const { code, cause, message: sentence } = await fail(message as object);
      deepStrictEqual([code, cause.field, held.tenant.received.length], ["ERR_INPUT", "callId", 0]);
      ok(sentence.length < 500);
    });
  }

  const hidden = (field: string, inner: object = {}) =>
    Object.defineProperty(inner, field, {
      get() {
        throw new Error("a trap");
      },
    });
  const internal = { type: "internal" };
  const WRONG: readonly [title: string, field: string, payload: object][] = [
    ["a getter that throws", "callId", hidden("callId")],
    ["a getter that throws in a party", "to.number", { callId: "c", to: hidden("number", { ...internal }) }],
  ];
  for (const [title, field, payload] of WRONG) {
    it(`is ERR_INPUT that names field and source: ${title}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-transfer" }));
      const { code, cause } = await fail({ payload });
      deepStrictEqual(
        [code, cause["field"], cause["source"], cause["outcome"], held.tenant.received.length],
        ["ERR_INPUT", field, `msg.payload.${field}`, "not-applied", 0],
      );
      ok(JSON.stringify(cause).length < 1000);
    });
  }

  it("with an own key __proto__ affects only its own result", async () => {
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    const message = JSON.parse(
      '{"payload":{"callId":"c","__proto__":{"polluted":1}},"constructor":{"prototype":{"polluted":1}}}',
    );
    strictEqual((await play(message)).out.length, 1);
    deepStrictEqual(held.tenant.received[0]?.body, { callId: "c" });
    strictEqual(({} as Record<string, unknown>)["polluted"], undefined);
  });

  const FAILING: readonly [title: string, node: Record<string, unknown>][] = [
    ["two context stores", { toNumber: "a", toNumberType: "flow", fromNumber: "b", fromNumberType: "global" }],
    [
      "a JSONata expression and an instant",
      { toNumber: '$error("no")', toNumberType: "jsonata", notAfter: "soon", notAfterType: "str" },
    ],
  ];
  for (const [title, node] of FAILING) {
    it(`fails once when ${title} fail at once`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-out", ...node }));
      nodeOf("n1").context = brokenStores;
      const { code } = await fail({ payload: GOOD_PAYLOAD["call-out"] });
      deepStrictEqual([code, held.tenant.received.length], ["ERR_INPUT", 0]);
      await nextTurn();
    });
  }

  const throwing = () =>
    Object.defineProperty({}, "trap", {
      enumerable: true,
      get() {
        throw new Error("a trap");
      },
    });
  it("that is not an object is ignored and affects no other message", async () => {
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    for (const message of ["text", 5, ["text"]]) nodeOf("n1").receive(message as unknown as NodeMessage);
    strictEqual((await play({ payload: { callId: "c" } })).out.length, 1);
    strictEqual(held.tenant.received.length, 1);
  });

  const UNCLONABLE: readonly [title: string, wires: string[][], message: object][] = [
    ["a failure", [["out"]], { payload: {}, trap: throwing() }],
    ["an answer, behind two wires", [["completed", "out"]], { payload: { callId: "c" }, trap: throwing() }],
  ];
  for (const [title, wires, message] of UNCLONABLE) {
    it(`that Node-RED cannot copy does not end the process or hold up the next: ${title}`, async () => {
      await load(flowWith(held.tenant.url, { type: "call-stop", wires }, { concurrency: 1 }));
      for (let sent = 0; sent < 3; sent += 1) nodeOf("n1").receive(structureOf(message));
      const { out } = await play({ payload: { callId: "last" } });
      strictEqual(out.at(-1)?.["callId"], "last");
      strictEqual(warnings().filter((text) => text.includes("log.undeliverable")).length, 3);
    });
  }

  it("that only Complete cannot copy is still sent, and the failed copy is logged", async () => {
    await load(flowWith(held.tenant.url, { type: "call-stop" }));
    const { out, caught, completed } = await play(structureOf({ payload: { callId: "c" }, trap: throwing() }));
    deepStrictEqual([out.length, caught.length, completed.length], [1, 0, 0]);
    strictEqual(warnings().filter((text) => text.includes("log.undeliverable")).length, 1);
  });
});

/** The same message again: own properties as they are, getters unread. */
function structureOf(message: object): NodeMessage {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(message)) as NodeMessage;
}

/** Makes context stores that are slow to report that they are broken. */
function brokenStores(): NodeContext {
  const get = (_key: string, _store: string | undefined, callback: (error: Error) => void) => {
    setImmediate(() => callback(new Error("the store is gone")));
  };
  return { flow: { get }, global: { get } } as unknown as NodeContext;
}
