import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { restoredMessage, storedMessage } from "../../../src/runtime/delivery/stored-message";
import { casesOf } from "../../support/until";

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const longText = (bytes: number) => "x".repeat(bytes - 2);
const KB_64 = 64 * 1024;

/** The values that a flow may put into a message besides JSON. */
const NOT_JSON: Readonly<Record<string, unknown>> = {
  "a function": () => {},
  "a symbol": Symbol("s"),
  "a BigInt": 1n,
  "a Buffer": Buffer.from("pdf"),
  "a typed array": new Uint16Array(2),
  "a Map": new Map([[1, 2]]),
  "a Set": new Set([1]),
  "an Error": new Error("e"),
  "a regular expression": /x/,
  "a Promise": Promise.resolve(),
  "a revoked proxy": revoked(),
  "an object whose keys cannot be read": new Proxy({}, { ownKeys: () => assert.fail() }),
  "an object whose toJSON throws": { toJSON: () => assert.fail() },
  "a cycle": cycle(),
  "objects within objects": nested(1000),
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): object {
  const round: Record<string, unknown> = { list: [] };
  round["list"] = round;
  return round;
}

/** Returns what is kept of a message, with its JSON read. */
function stored(given: object) {
  const { json, ...rest } = storedMessage(given);
  return { message: JSON.parse(json) as Record<string, unknown>, ...rest };
}

function nested(levels: number): object {
  let inner: object = {};
  for (let level = 0; level < levels; level += 1) inner = { i: inner };
  return inner;
}

describe("the message that a durable backlog keeps", () => {
  it("is the message's JSON", () => {
    const at = new Date();
    const row = new (class Row {
      name = "An";
    })();
    const message = { _msgid: "1", payload: { at, list: [1, null, true, "ổ"], none: undefined, nan: Number.NaN }, row };
    const { message: kept, left } = stored(message);
    assert.deepEqual(kept, json(message));
    assert.deepEqual(left, []);
  });

  for (const [what, value, isExact] of [
    ["JSON", { list: [1, null, "ổ", { yes: true }] }, true],
    ["a property that is undefined", { none: undefined }, true],
    ["an object of a function node", runInNewContext("({ list: [{}] })"), true],
    ["an object without a prototype", Object.assign(Object.create(null), { n: 1 }), true],
    ["a Date", { at: new Date() }, false],
    ["an instance of a class", new (class Row {})(), false],
    ["no number", [Number.NaN], false],
    ["a list with a hole", [1, undefined], false],
    ["a function", { speak: () => {} }, false],
    ["a Buffer", Buffer.of(1), false],
  ] as const)
    it(`is ${isExact ? "" : "not "}the whole message with ${what}`, () => {
      assert.equal(stored({ _msgid: "1", payload: value }).isExact, isExact);
    });

  it("is the JSON of any JSON, and shares nothing with it", () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(value, (message) => {
        const { message: kept, left, size } = stored(message);
        const own = Object.keys(message).filter((key) => !["req", "res", "__proto__"].includes(key));
        if (left.length > 0) return;
        assert.deepEqual(json(kept), json(message));
        assert.deepEqual(Object.keys(kept), own);
        const length = Buffer.byteLength(JSON.stringify(kept));
        assert.ok(size >= length / 2 - 10 && size <= 1.5 * length + 10, `${size} instead of ${length}`);
        for (const key of own)
          assert.ok(typeof kept[key] !== "object" || kept[key] === null || kept[key] !== message[key]);
      }),
      { numRuns: casesOf(1000) },
    );
  });

  it("is JSON whatever the message contains, and only what is named is missing", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withBoxedValues: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (message) => {
        const { message: kept, left } = stored(message);
        const text = JSON.stringify(kept);
        assert.deepEqual(json(JSON.parse(text)), json(kept));
        for (const [key, value] of Object.entries(message)) {
          const isNamed = left.length > 32 || left.some((path) => path.startsWith(key.slice(0, 100)));
          assert.ok(value === undefined || Object.hasOwn(kept, key) || isNamed, key);
        }
      }),
      { numRuns: casesOf(2000) },
    );
  });

  it("contains neither req nor res", () => {
    const { message, left } = stored({ req: cycle(), payload: { req: "kept" }, res: {} });
    assert.deepEqual(message, { payload: { req: "kept" } });
    assert.deepEqual(left, ["req", "res"]);
    assert.equal(storedMessage({ req: cycle(), res: {} }).isExact, true, "nothing else is missing");
    const own = { _res: { send() {} }, toJSON: () => undefined };
    assert.deepEqual(storedMessage({ res: own }), { json: "{}", left: [], size: 0, isExact: true });
  });

  for (const [name, value] of Object.entries(NOT_JSON)) {
    it(`names ${name} instead of changing it`, () => {
      const { message, left } = stored({ value, payload: { "a b": [0, value], id: 7 } });
      assert.equal(left.length, 2);
      assert.ok(left[0]?.startsWith("value"), left[0]);
      assert.ok(left[1]?.startsWith('payload["a b"][1]'), left[1]);
      const { id, "a b": list } = message["payload"] as { id: number; "a b": unknown[] };
      assert.equal(id, 7);
      assert.equal(list.length, 2);
      assert.equal(JSON.stringify(message).includes("pdf"), false);
    });
  }

  it("contains what can be read beside a getter that throws", () => {
    const payload = {
      id: 7,
      get broken(): never {
        throw new Error("of the flow");
      },
    };
    const { message, left } = stored({ payload });
    assert.deepEqual(message, { payload: { id: 7 } });
    assert.deepEqual(left, ["payload.broken"]);
  });

  it("replaces no prototype", () => {
    const message = JSON.parse(
      '{"__proto__": {"polluted": true}, "payload": {"__proto__": {"polluted": true}, "id": 7}}',
    );
    const { message: kept, left } = stored(message as object);
    assert.deepEqual(kept, { payload: { id: 7 } });
    assert.equal((kept as { polluted?: boolean }).polluted, undefined);
    assert.equal((kept["payload"] as { polluted?: boolean }).polluted, undefined);
    assert.deepEqual(left, ["__proto__", "payload.__proto__"]);
  });

  it("contains properties up to 64 KB", () => {
    const { message, left } = stored({ fits: longText(KB_64), long: longText(KB_64 + 1) });
    assert.deepEqual(Object.keys(message), ["fits"]);
    assert.deepEqual(left, ["long"]);
  });

  it("counts 64 KB in bytes of JSON", () => {
    const { left } = stored({
      chinese: "话".repeat(30_000),
      escaped: "\n".repeat(40_000),
      ascii: "x".repeat(60_000),
    });
    assert.deepEqual(left, ["chinese", "escaped"]);
  });

  it("lacks only what is long, beside what is short", () => {
    const pdf = longText(KB_64 + 1);
    const { message, left } = stored({ payload: { name: "An", pdf, pages: [pdf, 2] } });
    assert.deepEqual(message, { payload: { name: "An", pages: [null, 2] } });
    assert.deepEqual(left, ["payload.pdf", "payload.pages[0]"]);
  });

  it("lacks a property whose parts are long together, and names it once", () => {
    const half = longText(KB_64 / 2);
    const list = [half, () => {}, half, half];
    const { message, left } = stored({ payload: { id: 7, list } });
    assert.deepEqual(message, { payload: { id: 7 } });
    assert.deepEqual(left, ["payload.list"]);
  });

  it("names a part of what is missing if it is much", () => {
    const functions = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, () => {}]));
    const { left } = stored({ ...functions, ["k".repeat(1e6)]: 1 });
    assert.equal(left.length, 33);
    assert.equal(left.at(-1), "…");
    assert.ok(left.every((path) => path.length <= 201));
  });

  it("looks through a part of a huge message, and always contains the message's id", () => {
    const reads = { count: 0 };
    const watched = new Proxy([] as unknown[], {
      get: (_target, key) => {
        if (key === "length") return 1e9;
        reads.count += 1;
        return undefined;
      },
    });
    const lists = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`list${n}`, watched]));
    const { message, left, size } = stored({ ...lists, many: nestedPairs(60), _msgid: "m" });
    assert.deepEqual(message, { _msgid: "m" });
    assert.ok(left.includes("list0"));
    assert.ok(size < 100);
    assert.ok(reads.count < 1e6, `${reads.count} reads`);
  });

  it("is empty if the message cannot be read", () => {
    assert.deepEqual(stored(revoked()), { message: {}, left: ["…"], size: 0, isExact: false });
  });
});

/** Nests 2 to the power of so many objects, all of them the same few. */
function nestedPairs(levels: number): object {
  let inner: object = {};
  for (let level = 0; level < levels; level += 1) inner = { a: inner, b: inner };
  return inner;
}

describe("a restored message", () => {
  const at = "2026-11-22T09:00:00.000Z";

  it("says when it was accepted and what is missing", () => {
    const left = ["req"];
    assert.deepEqual(restoredMessage({ _msgid: "1", payload: {} }, left, at), {
      _msgid: "1",
      payload: {},
      telephony: { restored: { at, left } },
    });
  });

  it("keeps what an earlier node said", () => {
    const kept = { telephony: { action: "call-stop" } };
    assert.deepEqual(restoredMessage(kept, [], at), {
      telephony: { action: "call-stop", restored: { at, left: [] } },
    });
  });

  for (const telephony of [null, "text", [1]])
    it(`replaces ${JSON.stringify(telephony)} of the flow`, () => {
      assert.deepEqual(restoredMessage({ telephony }, [], at), { telephony: { restored: { at, left: [] } } });
    });

  it("can be changed by the flow without changing what is stored", () => {
    const kept = { payload: { id: 7 } };
    const left = ["req"];
    const message = restoredMessage(kept, left, at) as { payload: Record<string, unknown> };
    message.payload["id"] = 8;
    (message as unknown as { telephony: { restored: { left: string[] } } }).telephony.restored.left.push("res");
    assert.deepEqual([kept, left], [{ payload: { id: 7 } }, ["req"]]);
  });
});
