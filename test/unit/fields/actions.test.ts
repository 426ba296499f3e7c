import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { custom, spokenActions } from "../../../src/fields/field";
import { KINDS } from "../../../src/fields/kinds";
import { readerOf, refusal } from "./host";

const FIELDS = { actions: spokenActions() };
const talk = { action: "talk" };

async function read(actions: unknown, config: Record<string, unknown> = {}): Promise<unknown> {
  return (await readerOf(FIELDS, config)({ payload: { actions } })).actions;
}

describe("actions of a call-out", () => {
  const TAKEN: readonly [title: string, given: unknown, sent: unknown][] = [
    ["an array", [{ action: "talk", text: "Hello" }], [{ action: "talk", text: "Hello" }]],
    ["its JSON text", '[{"action":"talk","text":"Hello"}]', [{ action: "talk", text: "Hello" }]],
    ["any action, since the interface lists none", [{ action: "hangup" }], [{ action: "hangup" }]],
    ["line breaks in a text", [{ ...talk, text: "one\ntwo\r\nthree" }], [{ ...talk, text: "one\ntwo\r\nthree" }]],
    ["a text of 20,000 characters", [{ ...talk, text: "x".repeat(20_000) }], [{ ...talk, text: "x".repeat(20_000) }]],
    [
      "control characters in a text, as blanks",
      [{ ...talk, text: "\tdisk\tfull\u000b\u001b[31m now\u0085!\n" }],
      [{ ...talk, text: "disk full  [31m now !" }],
    ],
    [
      "half a surrogate pair, as U+FFFD",
      [{ ...talk, text: "a\ud83d", voice: "\udc00b", more: { deep: ["\ud83dc\ud83d\ude00"] } }],
      [{ ...talk, text: "a\ufffd", voice: "\ufffdb", more: { deep: ["\ufffdc\ud83d\ude00"] } }],
    ],
    ["a number for a text", [{ ...talk, text: 42 }], [{ ...talk, text: "42" }]],
    [
      "a speed as number or text",
      [
        { ...talk, speed: -1.5 },
        { ...talk, speed: "2" },
        { ...talk, speed: 0 },
      ],
      [
        { ...talk, speed: -1.5 },
        { ...talk, speed: 2 },
        { ...talk, speed: 0 },
      ],
    ],
    [
      "a loop, which goes out as a text",
      [
        { ...talk, loop: 3 },
        { ...talk, loop: "2" },
        { ...talk, loop: " 1 " },
        { ...talk, loop: 0 },
        { ...talk, loop: "0" },
      ],
      [
        { ...talk, loop: "3" },
        { ...talk, loop: "2" },
        { ...talk, loop: "1" },
        { ...talk, loop: "0" },
        { ...talk, loop: "0" },
      ],
    ],
    [
      "what is not given, and leaves it out",
      [{ action: "talk", text: "", voice: null, speed: "", loop: undefined }],
      [talk],
    ],
    [
      "other keys, untouched",
      [{ ...talk, "a.b": [1, { c: null }], n: 0, e: "", f: false, z: null }],
      [{ ...talk, "a.b": [1, { c: null }], n: 0, e: "", f: false, z: null }],
    ],
    [
      "numbers of other keys that have all their digits",
      '[{"action":"play","n":9007199254740991,"f":0.1,"id":"84901234567890123"}]',
      [{ action: "play", n: Number.MAX_SAFE_INTEGER, f: 0.1, id: "84901234567890123" }],
    ],
    ["a voice that the interface does not list", [{ ...talk, voice: "Robot" }], [{ ...talk, voice: "Robot" }]],
    ["a hundred", Array.from({ length: 100 }, () => talk), Array.from({ length: 100 }, () => talk)],
    ["none for not given", [], undefined],
    ["the JSON text of none for not given", " [] ", undefined],
    ["null for not given", null, undefined],
    ["JSON null for not given", "null", undefined],
    ["blanks for not given", "  ", undefined],
  ];
  for (const [title, given, sent] of TAKEN) {
    it(`accept ${title}`, async () => deepStrictEqual(await read(given), sent));
  }

  it("are doubted for a voice that the interface does not list, but for no speed", () => {
    const given = [
      { ...talk, speed: 99 },
      { ...talk, speed: -0.5, voice: "banmai" },
      { ...talk, voice: "robot" },
    ];
    deepStrictEqual(
      KINDS.actions.doubt?.(given, given as never, "actions", undefined, {}).map(({ params }) => params["field"]),
      ["actions[2].voice"],
    );
  });

  const throwing = Object.defineProperty({ ...talk }, "text", {
    enumerable: true,
    get() {
      throw Object.create(null);
    },
  });
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  const circular: Record<string, unknown> = { ...talk };
  circular["self"] = circular;

  const REFUSED: readonly [title: string, given: unknown, field: string | RegExp][] = [
    ["a text that is no JSON", "talk", "actions"],
    ["JSON that is no list", "{}", "actions"],
    ["an object", talk, "actions"],
    ["a boolean", true, "actions"],
    ["a hundred and one", Array.from({ length: 101 }, () => talk), "actions"],
    ["a text for an action", ["talk"], "actions[0]"],
    ["null for an action", [talk, null], "actions[1]"],
    ["a list for an action", [[talk]], "actions[0]"],
    ["an action without a name", [{ text: "x" }], "actions[0].action"],
    ["an action with an empty name", [{ action: " " }], "actions[0].action"],
    ["an action whose name is an object", [{ action: {} }], "actions[0].action"],
    ["a line break in a name", [{ action: "ta\nlk" }], "actions[0].action"],
    ["a voice that is a boolean", [talk, { ...talk, voice: true }], "actions[1].voice"],
    ["a line break in a voice", [{ ...talk, voice: "a\nb" }], "actions[0].voice"],
    ["a speed that is no number", [{ ...talk, speed: "fast" }], "actions[0].speed"],
    ["an infinite speed", [{ ...talk, speed: Number.POSITIVE_INFINITY }], "actions[0].speed"],
    ["a loop that is a boolean", [{ ...talk, loop: true }], "actions[0].loop"],
    ["a loop below 0", [{ ...talk, loop: -1 }], "actions[0].loop"],
    ["a loop that is no whole number", [{ ...talk, loop: "1.5" }], "actions[0].loop"],
    ["a text of 20,001 characters", [{ ...talk, text: "x".repeat(20_001) }], "actions[0].text"],
    ["NUL in a text", [{ ...talk, text: "a\0b" }], "actions[0].text"],
    ["a text that is an object", [{ ...talk, text: { a: 1 } }], "actions[0].text"],
    ["a getter that throws", [throwing], /^actions/],
    ["a value that JSON cannot hold", [{ ...talk, n: 5n }], "actions[0].n"],
    ["a circle", [circular], "actions[0].self"],
    ["a number that JSON text lost digits of", '[{"action":"play","ref":9007199254740993}]', "actions[0].ref"],
    ["one inside another key", '[{"action":"play","to":{"ids":[1,84901234567890123]}}]', "actions[0].to"],
    ["a nesting too deep to copy recursively", [{ ...talk, deep }], "actions[0].deep"],
    ["the JSON text of one", `[{"action":"talk","deep":${"[".repeat(2000)}${"]".repeat(2000)}}]`, "actions[0].deep"],
  ];
  for (const [title, given, field] of REFUSED) {
    it(`refuse ${title}`, () =>
      rejects(read(given), refusal(field, typeof field === "string" ? `msg.payload.${field}` : /^/)));
  }

  it("are a list of one where JSONata finds one object, and only there", async () => {
    const source = { actionsType: "jsonata", actions: "payload.all[loud]" };
    for (const loud of [
      { ...talk, loud: true },
      { ...talk, loud: true, days: ["mon"] },
    ])
      deepStrictEqual((await readerOf(FIELDS, source)({ payload: { all: [loud, talk] } })).actions, [loud]);
    await rejects(read(talk), refusal("actions", "msg.payload.actions"));
  });

  it("are a list of one in a schedule, too: its days", async () => {
    const source = { scheduleType: "jsonata", schedule: '{"name": "X", "days": payload.week[day="mon"]}' };
    const read = readerOf({ schedule: custom("list", (value) => value) }, source);
    const days = [{ day: "mon", open: "08:00", close: "17:00" }];
    const payload = { week: [...days, { day: "tue" }] };
    deepStrictEqual(await read({ payload }), { schedule: { name: "X", days } });
  });

  it("drop keys that lead to JavaScript's own objects", async () => {
    const given =
      '[{"action":"talk","__proto__":{"polluted":1},"constructor":1,"prototype":2,"x":{"__proto__":{"y":1},"z":1}}]';
    for (const value of [given, JSON.parse(given)]) {
      const [action] = (await read(value)) as Record<string, unknown>[];
      deepStrictEqual(Object.keys(action ?? {}), ["action", "x"]);
      deepStrictEqual(JSON.stringify(action), '{"action":"talk","x":{"z":1}}');
      strictEqual(Object.getPrototypeOf(action), Object.prototype);
    }
    strictEqual(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("have errors that name the source of the list", async () => {
    const wrong = [{ ...talk, voice: {} }];
    const config = { actions: "calls.list", actionsType: "msg" };
    const from = (source: string) => refusal("actions[0].voice", source);
    await rejects(readerOf(FIELDS, config)({ calls: { list: wrong } }), from("msg.calls.list[0].voice"));
    const flow = { actions: "list", actionsType: "flow" };
    await rejects(readerOf(FIELDS, flow, { flow: { list: wrong }, global: {} })({}), from("flow.list[0].voice"));
    const json = { actions: JSON.stringify(wrong), actionsType: "json" };
    await rejects(readerOf(FIELDS, json)({}), from("the dialog"));
  });

  it("do not change the list in the message", async () => {
    const given = Object.freeze([Object.freeze({ ...talk, loop: 2, more: Object.freeze({ a: 1 }) })]);
    const [action] = (await read(given)) as { more: unknown }[];
    deepStrictEqual(given, [{ ...talk, loop: 2, more: { a: 1 } }]);
    strictEqual(action?.more === given[0]?.more, false);
  });
});
