import { strict as assert } from "node:assert";
import type { KindName } from "../../src/fields/kinds";
import { type NodeProperty, nodeProperties } from "../../src/runtime/node-properties";
import { flowOf, pairs, SANDBOX } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";
import { NODES } from "../support/node-types";

/** Configuration nodes that cannot work. */
const BROKEN = [
  { id: "bad-tenant", type: "telephony-tenant", mode: "live", url: "nowhere" },
  { id: "bad-proxy", type: "http proxy", name: "", url: "", noproxy: [] },
];

/** Lists invalid values of a property, in the form of a flow file. */
function wrong({ property, setting, field, check, config }: NodeProperty): Readonly<Record<string, unknown>>[] {
  const pair = (value: unknown, type: string) => pairs(type, { [property]: value });
  if (check === "tenant") return [{ [property]: "" }, { [property]: "bad-tenant" }, { [property]: "gone" }];
  if (config) return property === "proxy" ? [{ [property]: "bad-proxy" }] : [];
  if (check === "property") return [{ [property]: "payload..x" }];
  if (setting) {
    // A choice and a checkbox have no other values.
    const byKind: Partial<Record<KindName, string>> = {
      text: "a\tb",
      address: "http://acme.example.com",
      header: "Host",
      hotline: "hot line",
      path: "a b",
      zone: "Mars/Olympus",
      country: "Vietnam",
      number: "-1",
    };
    const value = byKind[setting.kind];
    return value === undefined ? [] : [{ [property]: value }];
  }
  if (!field) return [];
  const sources = [pair("topic..x", "msg"), pair("$sum(", "jsonata"), pair("a..b", "flow")];
  const needed = field.required && field.default === undefined ? [pair("", "str")] : [];
  switch (field.kind) {
    case "choice":
      return [...sources, ...needed, pair("bogus", "str")];
    case "positiveInteger":
      return [...sources, pair("0", "num")];
    case "id":
      return [...sources, ...needed, pair("abc", "str")];
    case "hotline":
    case "phone":
    case "text":
      return [...sources, ...needed, pair("a\u0007b", "str")];
    case "instant":
    case "moment":
      return [...sources, pair("tomorrow", "str")];
    case "actions":
      return [
        ...sources,
        pair([], "list"),
        pair([{ action: "", text: "Hello" }], "list"),
        pair([{ action: "talk", text: "topic..x", textType: "msg" }], "list"),
        pair([{ action: "talk", text: "a\u0000b", textType: "str" }], "list"),
        pair([{ action: "talk", text: "Hello", speed: "fast" }], "list"),
        pair([{ action: "talk", text: "Hello", more: "{" }], "list"),
        pair("[", "json"),
      ];
    case "days":
    case "schedule":
      return [...sources, pair([{ day: "mon", open: "25:00", close: "26:00" }], "list"), pair("[", "json")];
    case "exceptions":
      return [
        ...sources,
        pair([{ date: "2030-02-30" }], "list"),
        pair([{ date: "2030-02-03", hours: [{ open: "8", close: "99" }] }], "list"),
      ];
    default:
      return sources;
  }
}

/** The choices that show fields which the default does not. */
const SHOWING: Readonly<Record<string, (round: number) => object>> = {
  "telephony-tenant": () => ({ mode: "live" }),
  "call-transfer": (round) => ({ mode: round % 2 ? "advanced" : "simple" }),
  "business-hour-trigger": (round) => ({ source: round % 2 ? "tenant" : "value" }),
  "business-hour-gate": (round) => ({ source: round % 2 ? "tenant" : "value" }),
};

/** Makes another word than the type: Node-RED takes a property that is the node's own id for a circle. */
const idOf = (type: string) => `the ${type}`;

/** Red fields on the screen without a sentence below them, and how many there are. */
const RED = `(() => {
  const seen = (element) => element.offsetParent !== null;
  const red = [...document.querySelectorAll(".red-ui-tray .input-error")].filter(seen);
  const silent = red.filter((element) => {
    const place = element.closest(".telephony-list-row, .telephony-day, .telephony-row") ??
      document.getElementById(element.id.replace(/-list$/, "")).closest(".telephony-row");
    return ![...place.querySelectorAll(".telephony-problem")].some((line) => seen(line) && line.textContent.trim());
  });
  return { red: red.length, silent: silent.map((element) => element.id || element.className) };
})()`;

describe("Every red field of a dialog", () => {
  const editor = withEditor(() => {
    const nodes = NODES.filter(({ kind }) => kind !== "tenant").map(({ type }) => ({ id: idOf(type), type }));
    return flowOf(nodes, [SANDBOX, { ...SANDBOX, id: idOf("telephony-tenant") }, ...BROKEN]);
  });

  for (const node of NODES) {
    const { type } = node;
    const values = nodeProperties(node).map(wrong);
    const rounds = Math.max(...values.map(({ length }) => length));
    /** All properties that have as many wrong values are wrong at once, which leaves their fields on the screen. */
    for (let round = 0; round < rounds; round += 1)
      it(`has its reason below it: ${type}, ${round + 1} of ${rounds}`, async () => {
        const changes = Object.assign({}, ...values.map((each) => each[round]), SHOWING[type]?.(round));
        const before = await editor.page.evaluate(`(() => {
          const node = RED.nodes.node(${JSON.stringify(idOf(type))});
          const before = Object.fromEntries(Object.keys(node._def.defaults).map((key) => [key, node[key]]));
          Object.assign(node, ${JSON.stringify(changes)});
          return before;
        })()`);
        await editor.edit(idOf(type));
        await editor.unfold();
        const { red, silent } = (await editor.page.evaluate(RED)) as { red: number; silent: string[] };
        assert.ok(red > 0, `${JSON.stringify(changes)} has nothing red`);
        assert.deepEqual(silent, [], JSON.stringify(changes));
        await editor.cancel();
        // JSON has no properties that are undefined.
        await editor.page.evaluate(`(() => {
          const node = RED.nodes.node(${JSON.stringify(idOf(type))});
          const before = ${JSON.stringify(before)};
          for (const key of Object.keys(node._def.defaults)) node[key] = before[key];
        })()`);
      });
  }

  for (const [field, changes, isRed] of [
    ["Number to call", { toNumber: "sip:ada@acme.example.com", toNumberType: "str" }, true],
    ["Number to call", { toNumber: "ada", toNumberType: "str", toKind: "internal", toKindType: "str" }, false],
    ["Number to call", { toNumber: "{{payload.number", toNumberType: "mustache" }, true],
  ] as const)
    it(`is what nobody can mean: ${JSON.stringify(changes)} ${isRed ? "is" : "is not"}`, async () => {
      await editor.change(idOf("call-out"), changes);
      const problems = (await editor.problems(idOf("call-out"))).filter((problem) => problem.includes(field));
      assert.equal(problems.length, isRed ? 1 : 0, problems.join("\n"));
    });
});
