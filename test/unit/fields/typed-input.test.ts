import { deepStrictEqual, rejects } from "node:assert/strict";
import { boolean, choice, type Fields, positiveInteger, text, ValueError } from "../../../src/fields";
import { pairs } from "../../support/browser/flows";
import { readerOf, refusal } from "./host";

const TEXT = { "to.number": text() };
const KIND = { "to.type": choice(["internal", "external"]) };
const BOOLEAN = { spyCall: boolean() };
const INTEGER = { limit: positiveInteger() };

const stores = {
  flow: { who: "u8", deep: { a: 5 }, no: null, broken: new Error("store is gone") },
  global: { who: "u9", no: false },
};
const message = {
  topic: "u7",
  payload: { id: 5, yes: "on", who: { name: "Ann <ann>" }, list: ["a", "b"], empty: "", nothing: null, no: false },
};

/** A field, its pair in the flow file, and the value read from the message above. */
type Row = readonly [fields: Fields, value: unknown, type: string, expected: unknown];

const READ: readonly Row[] = [
  [TEXT, "topic", "msg", "u7"],
  [TEXT, "msg.topic", "msg", "u7"],
  [TEXT, "payload.list[1]", "msg", "b"],
  [TEXT, 'payload["id"]', "msg", "5"],
  [TEXT, "who", "flow", "u8"],
  [TEXT, "who", "global", "u9"],
  [TEXT, "#:(later)::who", "flow", "u8"],
  [TEXT, " 0901234567 ", "str", "0901234567"],
  [TEXT, "0901234567", "num", "0901234567"],
  [TEXT, 5, "num", "5"],
  [TEXT, '"0901"', "json", "0901"],
  [TEXT, "901", "json", "901"],
  [TEXT, "TELEPHONY_TEST", "env", "from env"],
  [TEXT, "${TELEPHONY_TEST}", "env", "from env"],
  [TEXT, '"u" & payload.id', "jsonata", "u5"],
  [TEXT, "payload.id", "jsonata", "5"],
  [TEXT, "to {{payload.who.name}} {{{topic}}} {{&topic}}", "mustache", "to Ann <ann> u7 u7"],
  [TEXT, "{{#payload.list}}{{.}};{{/payload.list}}", "mustache", "a;b;"],
  [TEXT, "{{#payload.missing}}never{{/payload.missing}}x{{^payload.missing}}y{{/payload.missing}}", "mustache", "xy"],
  [TEXT, "{{payload.id}}", "mustache", "5"],
  [TEXT, "-{{payload.empty}}-", "mustache", "--"],
  [KIND, "internal", "str", "internal"],
  [KIND, '$exists(payload.id) ? "internal" : "external"', "jsonata", "internal"],
  [KIND, "{{#topic}}external{{/topic}}", "mustache", "external"],
  [BOOLEAN, "true", "bool", true],
  [BOOLEAN, "false", "bool", false],
  [BOOLEAN, true, "bool", true],
  [BOOLEAN, "payload.yes", "msg", true],
  [BOOLEAN, "payload.no", "msg", false],
  [BOOLEAN, "no", "global", false],
  [BOOLEAN, "0", "num", false],
  [BOOLEAN, "off", "str", false],
  [BOOLEAN, "1", "json", true],
  [BOOLEAN, "payload.id > 4", "jsonata", true],
  [INTEGER, "020", "num", 20],
  [INTEGER, "20", "str", 20],
  [INTEGER, "payload.id", "msg", 5],
  [INTEGER, "deep.a", "flow", undefined],
  [INTEGER, "$count(payload.list)", "jsonata", 2],
  [INTEGER, "{{payload.id}}0", "mustache", 50],
];

const ABSENT: readonly (readonly [value: unknown, type: string])[] = [
  ...["msg", "flow", "global", "str", "num", "bool", "json", "env", "jsonata", "mustache", "list", "unknown"].map(
    (type) => ["", type] as const,
  ),
  ["payload.missing.deeper", "msg"],
  ["payload.nothing.deeper", "msg"],
  ["payload.nothing", "msg"],
  ["payload.empty", "msg"],
  ["topic.search", "msg"],
  ["missing", "flow"],
  ["no", "flow"],
  ["null", "json"],
  ['""', "json"],
  ["TELEPHONY_NOT_SET", "env"],
  ["payload.missing", "jsonata"],
  ["null", "jsonata"],
  ["{{#payload.missing}}x{{/payload.missing}}", "mustache"],
  ["   ", "str"],
];

const REFUSED: readonly (readonly [fields: Fields, value: unknown, type: string, source: string])[] = [
  [TEXT, "payload..x", "msg", "the dialog"],
  [TEXT, "__proto__.x", "msg", "the dialog"],
  [TEXT, "payload.constructor.name", "msg", "the dialog"],
  [TEXT, "constructor.name", "flow", "the dialog"],
  [TEXT, "#:(later)::__proto__.x", "global", "the dialog"],
  [TEXT, "payload.who", "msg", "msg.payload.who"],
  [TEXT, "payload.no", "msg", "msg.payload.no"],
  [TEXT, "no", "global", "global.no"],
  [TEXT, "broken", "flow", "flow.broken"],
  [TEXT, "true", "bool", "the dialog"],
  [TEXT, "{", "json", "the dialog"],
  [TEXT, "{}", "json", "the dialog"],
  [TEXT, "payload.(", "jsonata", "the dialog"],
  [TEXT, '$error("no")', "jsonata", "a JSONata expression"],
  [TEXT, "payload", "jsonata", "a JSONata expression"],
  [TEXT, "{{payload.missing}}", "mustache", "a template"],
  [TEXT, "{{payload.nothing}}", "mustache", "a template"],
  [TEXT, "{{payload.toString}}", "mustache", "a template"],
  [TEXT, "{{payload.who}}", "mustache", "a template"],
  [TEXT, "{{#open}}", "mustache", "the dialog"],
  [TEXT, "Hello {{> greeting}}", "mustache", "the dialog"],
  [TEXT, "{{#topic}}{{^no}}{{>greeting}}{{/no}}{{/topic}}", "mustache", "the dialog"],
  [TEXT, "x", "regex", "the dialog"],
  [TEXT, "[]", "list", "the dialog"],
  [KIND, "topic", "msg", "msg.topic"],
  [BOOLEAN, "yes", "str", "the dialog"],
  [INTEGER, "topic", "msg", "msg.topic"],
];

function readOne(fields: Fields, value: unknown, type: string): Promise<unknown> {
  const [name = ""] = Object.keys(fields);
  const property = { "to.number": "toNumber", "to.type": "toKind" }[name] ?? name;
  return readerOf(fields, pairs(type, { [property]: value }), stores)(message).then((values) => values[name]);
}

describe("typed inputs", () => {
  before(() => {
    process.env["TELEPHONY_TEST"] = "from env";
  });
  after(() => {
    delete process.env["TELEPHONY_TEST"];
  });

  for (const [fields, value, type, expected] of READ) {
    const [name] = Object.keys(fields);
    it(`${name} from ${type} ${JSON.stringify(value)} is ${JSON.stringify(expected)}`, async () => {
      deepStrictEqual(await readOne(fields, value, type), expected);
    });
  }

  for (const [value, type] of ABSENT) {
    it(`${type} ${JSON.stringify(value)} is not given`, async () =>
      deepStrictEqual(await readOne(TEXT, value, type), undefined));
  }

  for (const [fields, value, type, source] of REFUSED) {
    const [name] = Object.keys(fields);
    it(`${name} from ${type} ${JSON.stringify(value)} is refused with the source ${source}`, () =>
      rejects(readOne(fields, value, type), refusal(String(name), source)));
  }

  for (const [n, digits] of [
    [0, "000"],
    [-7, "00-7"],
    [21.5, "0021.5"],
    [Number.MAX_SAFE_INTEGER, "009007199254740991"],
    ["849012345678901234567890", "00849012345678901234567890"],
    [849012345678901234567890n, "00849012345678901234567890"],
  ] as const) {
    it(`a template renders all digits of the ${typeof n} ${n}`, async () => {
      const read = readerOf(TEXT, { toNumber: "00{{payload.n}}", toNumberType: "mustache" });
      deepStrictEqual(await read({ payload: { n } }), { "to.number": digits });
    });
  }

  for (const n of [Number("849012345678901234567890"), 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`a template refuses the number ${n}, which may have been rounded`, () => {
      const read = readerOf(TEXT, { toNumber: "00{{payload.n}}", toNumberType: "mustache" });
      return rejects(read({ payload: { n } }), {
        ...refusal("to.number", "a template"),
        key: "input.templateUnsafe",
        params: { variable: "payload.n" },
      });
    });
  }

  for (const [value, expected] of [
    ["payload.id", "5"],
    ["msg.topic", "u7"],
    ["payload", "payload"],
    ["payloads.id", "payloads.id"],
    ["0901", "0901"],
  ])
    it(`without a type are a path if they look like one: ${value}`, async () =>
      deepStrictEqual(await readerOf(TEXT, { toNumber: value })(message), { "to.number": expected }));

  it("read inherited properties, such as those of an HTTP request", async () => {
    class Request {
      get headers() {
        return { caller: "u5" };
      }
    }
    const read = readerOf(TEXT, { toNumber: "req.headers.caller", toNumberType: "msg" });
    deepStrictEqual(await read({ req: new Request() }), { "to.number": "u5" });
  });

  it("follow a path inside a path", async () => {
    const read = readerOf(TEXT, { toNumber: "payload[msg.topic]", toNumberType: "msg" });
    deepStrictEqual(await read({ topic: "u", payload: { u: "5" } }), { "to.number": "5" });
    deepStrictEqual(await read({ topic: "constructor", payload: {} }), {});
  });

  it("cause one error if two of them fail, one synchronously and one later", async () => {
    const fields = { "from.number": text(), "to.number": text() };
    const config = { fromNumber: "broken", fromNumberType: "flow", toNumber: "{{missing}}", toNumberType: "mustache" };
    await rejects(readerOf(fields, config, stores)(message), ValueError);
    const twice = { fromNumber: "broken", fromNumberType: "flow", toNumber: "broken", toNumberType: "flow" };
    await rejects(readerOf(fields, twice, stores)(message), ValueError);
  });
});
