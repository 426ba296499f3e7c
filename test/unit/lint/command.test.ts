import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finding, lint } from "../../../src/workshop/lint";
import { NODES } from "../../support/node-types";
import { telephony } from "../../support/process/telephony";
import { temporaryFolder } from "../../support/process/user-folder";
import { fixed, type TestNode } from "./mutations";

const TENANT = { id: "t", type: "telephony-tenant", mode: "sandbox", fromNumber: "0000000000" };
const ANSWER = { answerUrl: "https://a.example", answerUrlType: "str" };
const GATE = { type: "business-hour-gate", tenant: "t", source: "value" };
const CALL = { id: "c", type: "call-out", name: "Ring", tenant: "t", ...ANSWER };
const LIST = { ...CALL, id: "l", type: "call-list" };
const CATCH = { id: "k", type: "catch", scope: null };
const once = { onceKey: "payload.order", onceKeyType: "msg" };
const jsonata = (id: string, toNumber: string) => ({ ...CALL, id, toNumber, toNumberType: "jsonata" });
const http = (id: string, ...wires: string[]) => ({ id, type: "http in", method: "get", wires: [wires] });
const saying = (text: string, textType = "mustache") => ({
  ...CALL,
  actions: [{ action: "talk", text, textType }],
  actionsType: "list",
});

const week = fixed("schedule", [{ day: "mon" }], "list");

const keysOf = (byType: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(byType).flatMap(([type, keys]) => keys.map((key) => [key, type] as const));
/** Keys that a repetition of the request has, too, and others. */
const KEYS = keysOf({ msg: ["payload.order", "requestId"], jsonata: ["$string(payload.order)"] });
const NO_KEYS = keysOf({
  msg: ["", "_msgid", "webhook.id"],
  mustache: ["order {{payload.order}} {{_msgid}}"],
  jsonata: ["payload.order & $now()", "$uuid()", "$string($millis())", "$random()"],
});
const fromWebhook = (answer: object, keys: readonly (readonly [string, string])[]) => [
  { id: "w", type: "telephony-webhook", path: "order", ...answer, wires: [["f"]] },
  { id: "f", type: "function", func: "return msg;", wires: [keys.map((_, index) => `c${index}`)] },
  ...keys.map(([onceKey, onceKeyType], index) => ({ ...CALL, onceKey, onceKeyType, id: `c${index}` })),
];
const keyless = NO_KEYS.map((_, index) => `no-deduplication-key c${index}`);

const ACTING = NODES.filter(({ type }) => /^(?:call-|business-hour-(?:create|ensure|delete)$)/.test(type));
const commanded = (command?: string) => ({ type: "telephony-control", ...(command && { command }) });
const ENDS = [
  ...[...ACTING.map(({ type }) => ({ type })), commanded(), ...["drop", "count", "list"].map(commanded)],
  ...["list", "get", "gate"].map((name) => ({ type: `business-hour-${name}` })),
];

interface Case {
  readonly nodes: readonly object[];
  /** The only rule that the case is about. Default: all. */
  readonly only?: string;
  /** Rules and nodes. */
  readonly found: readonly string[];
  /** The patterns of what the messages say, in this order. */
  readonly says?: readonly RegExp[];
}

/** The findings in a flow, beside a tenant and a Catch node unless it has its own. */
const CASES: Readonly<Record<string, Case>> = {
  "finds what the runtime refuses, and numbers that are JSON numbers wherever they are set": {
    nodes: [
      { ...CALL, id: "people", type: "call-escalate" },
      { ...CALL, id: "dotted" },
      {
        ...{ id: "i", type: "inject", props: [{ p: "payload" }], wires: [["people"]] },
        ...{ payload: '{"people": [{"number": 901234567}]}', payloadType: "json" },
      },
      {
        ...{ id: "h", type: "change", wires: [["dotted"]] },
        rules: [{ t: "set", p: "payload", to: '{"to.number": 9}', tot: "json" }],
      },
      { ...CALL, id: "json", toNumber: "901234567", toNumberType: "json" },
      { ...CALL, id: "late", ...fixed("notBefore", "2026-12-24T10:00"), ...fixed("notAfter", "2026-12-24T09:00") },
      { id: "mode", type: "call-transfer", tenant: "t", toAlias: "Ann", toAliasType: "str" },
      jsonata("jsonata", "payload.(number"),
      { ...TENANT, id: "country", country: "XX" },
      { ...TENANT, id: "flowless", block: "never", blockType: "flow" },
      { ...TENANT, id: "in flow", z: "tab", block: "never", blockType: "flow" },
      { id: "gate", type: "business-hour-gate", source: "value", ...week, ...fixed("override", "shut") },
      { id: "untyped", type: "business-hour-gate", source: "value", schedule: [{ day: "mon" }], override: "shut" },
      { id: "source", type: "business-hour-gate", source: "elsewhere", tenant: "t" },
    ],
    found: [
      ...["missing-type untyped", "missing-type untyped", "missing-value gate", "nobody-acknowledges people"],
      ...["dotted", "json", "people"].map((id) => `number-not-text ${id}`),
      ...["country", "flowless", "jsonata", "late", "mode"].map((id) => `refused-value ${id}`),
      ...["wrong-choice gate", "wrong-choice source"],
    ],
    says: [/only with “Blind transfer” or “Attended transfer” \(mode advanced\)/],
  },
  "finds settings of a webhook that contradict one another": {
    nodes: [
      { header: "X-Token", sign: "X-Signature" },
      { header: "X-Token", scheme: "slack" },
      { sign: "X-Signature", scheme: "slack" },
      { sign: "X-Signature", get: true },
      { scheme: "stripe", get: "true" },
      { sign: "X-Signature", scheme: "stripe", get: "false" },
      { header: "X-Token", get: true, sign: " " },
    ].map((more, index) => ({ ...more, id: `w${index}`, type: "telephony-webhook", path: `w${index}` })),
    only: "refused-value",
    found: [0, 1, 2, 3, 4].map((index) => `refused-value w${index}`),
  },
  "finds what looks like a field of the message in a text, but is none": {
    nodes: [
      { ...saying("Hi {payload.name}"), id: "c0" },
      { ...saying("Hi ${name}", "str"), id: "c1" },
      { ...saying("Hi %name%"), id: "c2" },
      { ...saying("Hi {{msg.payload.name}}"), id: "c3" },
      { ...saying("Hi {{payload.name}}", "str"), id: "c4" },
      { ...saying("Xin chào {tên}"), id: "c5" },
      { ...CALL, id: "c6", actions: '[{"action":"talk","text":"Hi {payload.name}"}]', actionsType: "json" },
      { ...saying("{{payload.name}}, 5 % of 100%, 5%到10%"), id: "c7" },
    ],
    found: [0, 1, 2, 3, 4, 5, 6].map((index) => `wrong-placeholder c${index}`),
    says: [
      /\{\{payload\.name\}\}\.$/m,
      /\{\{payload\.name\}\}, with the type mustache \(text with \{\{fields\}\}\)\.$/m,
      /\{\{payload\.name\}\}, without msg\.$/m,
    ],
  },
  "reports what is read, and nothing that no message and no deploy reads": {
    nodes: [
      { ...TENANT, callingExceptions: " ", callingExceptionsType: "global", allow: [], allowType: "jsonata" },
      { ...CALL, onceFor: "never", target: [] },
      jsonata("expression", 'payload.number ~> |$|{"a": 1}|'),
      { type: "telephony-control", tenant: "t", id: "count", command: "count", key: "0901", keyType: "json" },
      { type: "telephony-control", tenant: "t", id: "any", key: " ", keyType: "global" },
      { ...GATE, id: "unknown", schedule: [], scheduleType: "list", onUnknown: "open" },
      {
        ...GATE,
        id: "holidays",
        ...fixed("schedule", "", "list"),
        ...fixed("exceptions", [{ date: "12-25" }], "list"),
      },
      { ...GATE, id: "forced", schedule: "", scheduleType: "json", override: "payload", overrideType: "msg" },
      { ...TENANT, id: "t2", callingHours: "Office", callingExceptions: " ", callingExceptionsType: "global" },
      { ...CALL, id: "read", onceKey: "payload.id", onceKeyType: "msg", onceFor: "never" },
      { type: "telephony-control", tenant: "t", id: "cancel", command: "cancel", key: "0901", keyType: "json" },
      ...["", "pause"].map((command) => ({
        ...commanded(command),
        ...fixed("key", "(", "jsonata"),
        tenant: "t",
        id: `at ${command}`,
      })),
      { ...GATE, id: "empty", schedule: [], scheduleType: "list" },
    ],
    found: ["missing-value empty", ...["at ", "cancel", "read", "t2"].map((id) => `refused-value ${id}`)],
  },
  "names the call that waits between a request and its response, but none that does not wait or stands beside": {
    nodes: [
      { ...TENANT, callingHours: "Office" },
      ...[{}, { anytime: "true" }, { wires: [] }].flatMap((more, index) => [
        http(`h${index}`, `c${index}`, "r"),
        { ...CALL, name: "", wires: [["r"]], ...more, id: `c${index}` },
      ]),
      ...["flow", "outcome"].flatMap((answer) => [
        { id: `h ${answer}`, type: "telephony-webhook", path: answer, answer, wires: [[`c ${answer}`]] },
        { ...CALL, name: "", wires: [["r"]], id: `c ${answer}` },
      ]),
      { id: "r", type: "http response" },
    ],
    only: "waits-before-response",
    found: ["waits-before-response c flow", "waits-before-response c0"],
    says: [/calling hours.*a http response node behind it/],
  },
  "names the node that leaves a repeated request without an answer, but for one beside the response": {
    nodes: [
      ...[{}, { onceAgain: "refuse" }, { onceKey: "" }, { wires: [[]] }].flatMap((more, index) => [
        http(`in${index}`, `c${index}`, "other"),
        { ...CALL, ...once, onceAgain: "ignore", wires: [["out"]], ...more, id: `c${index}` },
      ]),
      { id: "out", type: "http response" },
    ],
    only: "waits-before-response",
    found: ["waits-before-response c0"],
  },
  "advises a webhook where requests of an http in reach what acts, whatever stands between, and not where they only read":
    {
      nodes: [
        ...ENDS.flatMap((end, index) => [
          http(`${end.type} ${index}`, `end${index}`),
          { ...end, id: `end${index}`, tenant: "t" },
        ]),
        { id: "by links", type: "http in", wires: [["out"]] },
        { id: "out", type: "link out", links: ["in"] },
        { id: "in", type: "link in", wires: [["ask"]] },
        { id: "ask", type: "link call", links: ["sub"], wires: [["flow"]] },
        { id: "sub", type: "link in", wires: [["check"]] },
        { id: "check", type: "switch", property: "req.headers.x-secret", wires: [["back"]] },
        { id: "back", type: "link out", mode: "return" },
        { id: "flow", type: "subflow:s" },
        { id: "s", type: "subflow", in: [{ wires: [{ id: "c" }] }] },
        { ...CALL, z: "s" },
        { id: "disabled", type: "http in", d: true, wires: [["c"]] },
        // The same subroutine and subflow as on the way to a call, but back to where the request came from.
        http("harmless", "ask too", "shared 1"),
        { id: "ask too", type: "link call", links: ["sub"], wires: [["r"]] },
        { id: "shared", type: "subflow", in: [{ wires: [{ id: "s1" }] }], out: [{ wires: [{ id: "s1" }] }] },
        { id: "s1", type: "change", z: "shared", wires: [[]] },
        { id: "shared 1", type: "subflow:shared", wires: [["r"]] },
        { id: "shared 2", type: "subflow:shared", wires: [["end0"]] },
        { id: "r", type: "http response" },
        { id: "safe", type: "telephony-webhook", path: "a", answer: "flow", wires: [["c"]] },
      ],
      only: "open-webhook",
      found: [...ENDS.slice(0, ACTING.length + 2).map(({ type }, index) => `${type} ${index}`), "by links"]
        .map((id) => `open-webhook ${id}`)
        .sort(),
    },
  "wants a key that a repetition has, too, where a webhook answers with the outcome": {
    nodes: fromWebhook({ answer: "outcome" }, [...NO_KEYS, ...KEYS]),
    found: keyless,
  },
  "which is its default": { nodes: fromWebhook({}, NO_KEYS), found: keyless },
  "wants none where it answers at once": { nodes: fromWebhook({ answer: "taken" }, NO_KEYS), found: [] },
  "wants none where the flow answers": {
    nodes: fromWebhook({ answer: "flow" }, NO_KEYS),
    only: "no-deduplication-key",
    found: [],
  },
  "wants a list to be remembered behind such a webhook, and no key, wherever its rows come from": {
    nodes: [
      ...["outcome", "taken"].map((answer) => {
        return {
          id: answer,
          type: "telephony-webhook",
          path: answer,
          answer,
          wires: [[`${answer} 0`, `${answer} day`]],
        };
      }),
      ...["outcome", "taken", "split"].flatMap((from) => [
        { ...LIST, id: `${from} 0`, onceFor: "0" },
        { ...LIST, id: `${from} day`, onceFor: "86400" },
      ]),
      { id: "split", type: "split", wires: [["split 0", "split day"]] },
    ],
    only: "no-deduplication-key",
    found: ["no-deduplication-key outcome 0"],
    says: [/Set "Not again for" \(onceFor\)/],
  },
  "warns of a list in a live tenant without a guard, and of its numbers and texts, but not of rows that nobody catches":
    {
      nodes: [
        ...[{}, { perNumber: "3" }].map((guard, index) => {
          return { ...TENANT, ...guard, id: `t${index}`, mode: "live", url: "https://acme.example.com" };
        }),
        { ...TENANT, id: "idle", mode: "live", url: "https://acme.example.com" },
        { ...LIST, tenant: "t0", z: "tab" },
        { ...LIST, id: "l1", tenant: "t1", ...fixed("list", '[{"number":"1"},{"number":901234567}]', "json") },
        {
          ...LIST,
          id: "l2",
          tenant: "t1",
          ...fixed("actions", [{ action: "talk", ...fixed("text", "Hi {name}") }], "list"),
        },
        { ...LIST, id: "l3", tenant: "t1" },
        {
          id: "i",
          type: "inject",
          props: [{ p: "payload" }],
          payload: "[901234567]",
          payloadType: "json",
          wires: [["l3"]],
        },
      ],
      found: ["no-guard t0", "number-not-text l1", "number-not-text l3", "wrong-placeholder l2"],
      says: [/the tenant is live, and the call-list node "Ring" may call any number/],
    },
  "ends where nine subroutines each log by a link call, and lets a return lead only to calls that can reach it": {
    nodes: [
      http("h", "main0"),
      ...Array.from({ length: 9 }, (_, index) => [
        { id: `main${index}`, type: "link call", links: [`in${index}`], wires: [[`main${index + 1}`]] },
        { id: `in${index}`, type: "link in", wires: [[`log${index}`]] },
        { id: `log${index}`, type: "link call", links: ["log"], wires: [[`back${index}`]] },
        { id: `back${index}`, type: "link out", mode: "return" },
      ]).flat(),
      { id: "main9", type: "call-out", tenant: "t", ...ANSWER, ...once },
      { id: "log", type: "link in", wires: [["logged"]] },
      { id: "logged", type: "link out", mode: "return" },
      // It reaches no return that the request reaches.
      { id: "timer", type: "inject", wires: [["ask"]] },
      { id: "ask", type: "link call", links: ["other"], wires: [["c"]] },
      { id: "other", type: "link in", wires: [["others"]] },
      { id: "others", type: "link out", mode: "return" },
      CALL,
    ],
    found: ["open-webhook h"],
  },
  "finds an open webhook through a subflow whose output is its own input, or that of an inner one": {
    nodes: [
      http("h", "outer"),
      { id: "outer", type: "subflow:o", wires: [["c"]] },
      { id: "o", type: "subflow", in: [{ wires: [{ id: "i1" }] }], out: [{ wires: [{ id: "i1", port: 0 }] }] },
      { id: "i1", type: "subflow:i", z: "o", wires: [[]] },
      { id: "i", type: "subflow", in: [{ wires: [] }], out: [{ wires: [{ id: "i", port: 0 }] }] },
      CALL,
      // What enters here comes out elsewhere.
      http("harmless", "also"),
      { id: "also", type: "subflow:o", wires: [["r"]] },
      { id: "r", type: "http response" },
    ],
    only: "open-webhook",
    found: ["open-webhook h"],
  },
  "finds webhooks that nobody reaches, or that reach nobody": {
    nodes: [
      { id: "w1", type: "telephony-webhook", path: "/Order/", wires: [["c"]] },
      { id: "w2", type: "telephony-webhook", path: "order", wires: [["c"]] },
      { id: "w3", type: "telephony-webhook", path: "get", get: true, wires: [["gone"]] },
      { id: "w4", type: "telephony-webhook", path: "post", wires: [] },
      { id: "w5", type: "telephony-webhook", path: "flow", answer: "flow", wires: [["c"]] },
      { id: "w6", type: "telephony-webhook", path: "answered", answer: "flow", wires: [["r"]] },
      { id: "w7", type: "telephony-webhook", path: "order", d: true, wires: [["c"]] },
      { id: "get", type: "http in", method: "get", url: "/get", wires: [["r"]] },
      { id: "post", type: "http in", method: "get", url: "/post", wires: [["r"]] },
      { id: "r", type: "http response", wires: [] },
      { ...CALL, ...once },
    ],
    found: [
      ...["no-response w5", "twice-on-path w2", "twice-on-path w3"],
      ...["wired-to-nothing w3", "wired-to-nothing w4"],
    ],
  },
  "finds an incident that nobody can acknowledge, and people who stand in it twice": {
    nodes: [
      { ...TENANT, country: "vn" },
      ...["0901234567", "+84 901 234 567", "0901234567 ext 2"].map((number, index) => ({
        ...{ ...CALL, id: `e${index}`, type: "call-escalate", z: `tab${index}`, peopleType: "list" },
        people: [{ number: "0901234567 ext. 1" }, { number: "0901234567" }, { number }],
      })),
      { id: "set", type: "change", z: "tab0", rules: [{ t: "set", p: "acknowledge", to: "Ann" }] },
      { id: "note", type: "comment", z: "tab1", name: "msg.acknowledge" },
      { id: "link", type: "link in", z: "tab2", wires: [["e2"]] },
      ...["tab0", "tab1", "tab2"].map((z) => ({ id: `k${z}`, type: "catch", scope: null, z })),
    ],
    found: ["nobody-acknowledges e1", "person-twice e0", "person-twice e1"],
    says: [/people\[2\]/],
  },
  "finds a failure that no Catch node takes, of its group or its tab": {
    nodes: [
      ...["inner", "outer", "other"].map((id) => ({
        id,
        type: "group",
        z: "tab",
        ...(id === "inner" && { g: "outer" }),
      })),
      ...["inner", "other"].map((g) => ({ ...CALL, id: `in ${g}`, z: "tab", g })),
      { id: "of outer", type: "catch", scope: "group", z: "tab", g: "outer" },
      { ...CALL, id: "elsewhere", z: "second", g: "more" },
      // Without a group of its own, it takes those of its tab.
      { id: "of none", type: "catch", scope: "group", z: "second" },
      // One that was moved to another tab.
      { ...CALL, id: "moved", z: "third" },
      { id: "of a list", type: "catch", scope: ["moved"], z: "tab" },
    ],
    only: "uncaught-failure",
    found: ["uncaught-failure in other", "uncaught-failure moved"],
  },
  "names a type that is written nearly as one of ours": {
    nodes: [
      ...["call_out", "Call-Out", "telephony-webhok"].map((type, index) => ({ id: `n${index}`, type })),
      ...["link out", "subflow:call-ou", "call-center", "mqtt in"].map((type, index) => ({ id: `o${index}`, type })),
    ],
    found: [0, 1, 2].map((index) => `unknown-type n${index}`),
    says: [/Unknown type "call_out".* Write call-out\.$/m, /Write telephony-webhook\.$/m],
  },
  "names a remedy for a Delay that each node behind it has": {
    nodes: [
      {
        id: "d",
        type: "delay",
        pauseType: "delay",
        timeout: "5",
        timeoutUnits: "minutes",
        wires: [["c0", "c1", "c2"]],
      },
      ...["call-out", "call-escalate", "call-escalate"].map((type, index) => ({ ...CALL, type, id: `c${index}` })),
    ],
    only: "delay-before-call",
    // Of nodes with the same name and remedy, once.
    found: ["delay-before-call d", "delay-before-call d"],
    says: [
      /Set "Not before" \(notBefore\) in that node instead/,
      /^(?!.*notBefore).*Start it at the time it is due instead, with an Inject node/m,
    ],
  },
};

const TEST = { name: "A", from: "2026-12-01", days: 1, then: [{ nobodyElse: true }] };

describe("telephony lint", () => {
  const folder = temporaryFolder();
  const file = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const findingsOf = async (path: string) =>
    JSON.parse((await telephony("lint", path, "--json")).out).findings as Finding[];

  it("exits with 0 where nothing is wrong, or only warned of, and reads files together", async () => {
    const files = [file("tenant.json", [TENANT]), file("flow.json", { rev: "1", flows: [CALL, CATCH] })];
    deepEqual(await telephony("lint", ...files, "--json"), { code: 0, out: '{"findings":[]}\n', err: "" });
    equal((await telephony("lint", file("alone.json", [CALL, CATCH]))).code, 1);
    const warned = file("warned.json", [TENANT, CALL]);
    deepEqual([(await telephony("lint", warned)).code, (await telephony("lint", warned, "--strict")).code], [0, 1]);
  });

  it("exits with 1 for errors, and names them", async () => {
    const path = file("wrong.json", [TENANT, { ...CALL, toNumbr: "1" }, CATCH]);
    // A file that is named twice is read once.
    const { code, out } = await telephony("lint", path, path, "--json");
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    equal(code, 1);
    const message = 'Unknown property "toNumbr": a call-out node has none of this name. Write toNumber, or remove it.';
    const planted = { file: path, nodeId: "c", node: "Ring", type: "call-out" };
    deepEqual(findings, [{ ...planted, rule: "unknown-property", severity: "error", message }]);
    const { out: text } = await telephony("lint", path);
    match(text, /wrong\.json: error: call-out "Ring" \(c\): Unknown property[\s\S]*1 error, 0 warnings/);
  });

  for (const [title, { nodes, only, found, says = [] }] of Object.entries(CASES))
    it(title, () => {
      const hasTenant = nodes.some((node) => "id" in node && node.id === "t");
      const flow = [...(hasTenant ? [] : [TENANT]), ...nodes, CATCH] as TestNode[];
      const findings = lint([{ file: "case.json", nodes: flow }], NODES);
      const meant = findings.filter(({ rule }) => only === undefined || rule === only);
      deepEqual(meant.map(({ rule, nodeId }) => `${rule} ${nodeId}`).sort(), found);
      for (const text of says) match(meant.map(({ message }) => message).join("\n"), text);
    });

  it("names types that the user folder does not have, as a warning, and trusts those that it has", async () => {
    const userDir = join(folder, "user");
    const put = (name: string, content: string) => {
      mkdirSync(join(userDir, dirname(name)), { recursive: true });
      writeFileSync(join(userDir, name), content);
    };
    const manifest = { "node-red": { nodes: { a: "lib/a.js" } } };
    put("node_modules/@acme/a/package.json", JSON.stringify(manifest));
    put("node_modules/@acme/a/lib/a.html", '<script>RED.nodes.registerType("call-in", {})</script>');
    put("nodes/mine/own.html", '<script type="text/html" data-template-name="own"></script>');
    put(".config.nodes.json", JSON.stringify({ x: { nodes: { y: { types: ["seen"] } } } }));
    const types = ["call-in", "own", "seen", "inject", "call-ot", "third"];
    const path = file(
      "types.json",
      types.map((type, index) => ({ id: `n${index}`, type })),
    );
    const { out } = await telephony("lint", path, "--json", "--user-dir", userDir);
    deepEqual(
      (JSON.parse(out).findings as Finding[]).map(({ type, rule, severity }) => [type, rule, severity]),
      [
        ["call-ot", "unknown-type", "error"],
        ["third", "unknown-type", "warning"],
      ],
    );
    for (const command of ["rehearse", "test"]) {
      const named = command === "test" ? file("types.tests.json", { tests: [TEST] }) : path;
      const { code, err } = await telephony(command, named, "--user-dir", userDir);
      equal(code, 2);
      match(err, /Unknown type "call-ot"[\s\S]*Unknown type "third"/);
    }
  });

  it("prints no control character of a name", async () => {
    const name = "Ring\u001b[31m\n\u009bnobody";
    const split = { id: "s\u001b", type: "split", name, wires: [["c"]] };
    const path = file("na\u001bmes.json", [TENANT, { ...CALL, name, toNumbr: "1" }, split]);
    for (const json of [[], ["--json"]]) {
      const { out } = await telephony("lint", path, ...json);
      match(out, /Ring.*nobody/);
      doesNotMatch(out.replace(/\n/g, ""), /\p{Cc}|\\u00/u);
    }
  });

  it("calls nodes without a name by their label on the canvas", async () => {
    const path = file("nameless.json", [
      { ...TENANT, mode: "live", url: "https://acme.example.com", wrong: "1" },
      { id: "s", type: "subflow", in: [], out: [{ wires: [{ id: "split" }] }], wires: [] },
      { id: "split", type: "split", z: "s", wires: [] },
      { id: "i", type: "subflow:s", wires: [["c"]] },
      { ...CALL, name: "", toNumber: "0901234567", toNumberType: "str", wrong: "1" },
      { id: "gate", type: "business-hour-gate", source: "value", schedule: [{ day: "mon" }], tenant: "t", wrong: [] },
    ]);
    const findings = await findingsOf(path);
    deepEqual(
      findings.filter(({ rule }) => rule === "unknown-property").map(({ node }) => node),
      ["https://acme.example.com", "call → 0901234567", "open? own hours"],
    );
    match(JSON.stringify(findings), /a split node may let \\"call → 0901234567\\" call any number/);
    match((await telephony("lint", path)).out, /call-out "call → 0901234567" \(c\): /);
  });

  it("exits with 2 for a file that is not there, and for none at all", async () => {
    for (const [files, says] of [
      [[join(folder, "gone.json")], /gone\.json does not exist; check its path/],
      [[], /./],
    ] as const) {
      const { code, out, err } = await telephony("lint", ...files);
      deepEqual([code, out], [2, ""]);
      match(err, says);
    }
  });
});
