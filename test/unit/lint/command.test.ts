import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../../src/workshop/lint";
import { NODES } from "../../support/node-types";
import { telephony } from "../../support/process/telephony";

const TENANT = { id: "t", type: "telephony-tenant", mode: "sandbox", fromNumber: "0000000000" };
const ANSWER = { answerUrl: "https://a.example", answerUrlType: "str" };
const CALL = { id: "c", type: "call-out", name: "Ring", tenant: "t", ...ANSWER };
const CATCH = { id: "k", type: "catch", scope: null };

describe("telephony lint", () => {
  let folder: string;
  const file = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const findingsOf = async (path: string) =>
    JSON.parse((await telephony("lint", path, "--json")).out).findings as Finding[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "telephony-lint-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("exits with 0 where nothing is wrong, and reads files together", async () => {
    const files = [file("tenant.json", [TENANT]), file("flow.json", { rev: "1", flows: [CALL, CATCH] })];
    deepEqual(await telephony("lint", ...files, "--json"), { code: 0, out: '{"findings":[]}\n', err: "" });
    equal((await telephony("lint", file("alone.json", [CALL, CATCH]))).code, 1);
  });

  it("exits with 1 for errors, and names them", async () => {
    const path = file("wrong.json", [TENANT, { ...CALL, toNumbr: "1" }, CATCH]);
    const { code, out } = await telephony("lint", path, "--json");
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    equal(code, 1);
    const message = 'Unknown property "toNumbr": a call-out node has none of this name. Write toNumber, or remove it.';
    const planted = { file: path, nodeId: "c", node: "Ring", type: "call-out" };
    deepEqual(findings, [{ ...planted, rule: "unknown-property", severity: "error", message }]);
    match(
      (await telephony("lint", path)).out,
      /wrong\.json: error: call-out "Ring" \(c\): Unknown property[\s\S]*1 error, 0 warnings/,
    );
  });

  it("exits with 0 for warnings, and with 1 if they are to count", async () => {
    const path = file("warned.json", [TENANT, CALL]);
    deepEqual([(await telephony("lint", path)).code, (await telephony("lint", path, "--strict")).code], [0, 1]);
  });

  it("finds what the runtime refuses, and numbers that are JSON numbers wherever they are set", async () => {
    const people = { ...CALL, id: "people", type: "call-escalate" };
    const json = { ...CALL, id: "json", toNumber: "901234567", toNumberType: "json" };
    const late = { ...CALL, id: "late", notBefore: "2026-12-24T10:00", notAfter: "2026-12-24T09:00" };
    const payload = '{"people": [{"number": 901234567}]}';
    const inject = { id: "i", type: "inject", props: [{ p: "payload" }], payload, payloadType: "json" };
    const dotted = { ...CALL, id: "dotted" };
    const change = {
      id: "h",
      type: "change",
      rules: [{ t: "set", p: "payload", to: '{"to.number": 9}', tot: "json" }],
    };
    const mode = { id: "mode", type: "call-transfer", tenant: "t", toAlias: "Ann", toAliasType: "str" };
    const country = { ...TENANT, id: "country", country: "XX" };
    const jsonata = { ...CALL, id: "jsonata", toNumber: "payload.(number", toNumberType: "jsonata" };
    const wired = [
      { ...inject, wires: [["people"]] },
      { ...change, wires: [["dotted"]] },
    ];
    const flow = { block: "never", blockType: "flow" };
    const flowless = { ...TENANT, id: "flowless", ...flow };
    const own = { source: "value", schedule: [{ day: "mon" }] };
    const gate = { id: "gate", type: "business-hour-gate", ...own, override: "shut" };
    const more = [flowless, { ...TENANT, id: "in flow", z: "tab", ...flow }, gate];
    const nodes = [TENANT, people, json, late, dotted, mode, ...wired, country, jsonata, ...more, CATCH];
    const findings = await findingsOf(file("values.json", nodes));
    match(
      findings.find(({ nodeId }) => nodeId === "mode")?.message ?? "",
      /only with “Blind transfer” or “Attended transfer” \(mode advanced\)/,
    );
    deepEqual(Object.fromEntries(findings.map(({ nodeId, rule }) => [nodeId, rule])), {
      people: "number-not-text",
      json: "number-not-text",
      dotted: "number-not-text",
      mode: "refused-value",
      late: "refused-value",
      country: "refused-value",
      jsonata: "refused-value",
      flowless: "refused-value",
      gate: "wrong-choice",
    });
  });

  it("finds what looks like a field of the message in a text, but is none", async () => {
    const texts = [
      "Hi {payload.name}",
      "Hi ${name}",
      "Hi %name%",
      "Hi {{msg.payload.name}}",
      "{{payload.name}}, 5 % of 100%",
    ];
    const calls = texts.map((text, index) => {
      const actions = [{ action: "talk", text, textType: index === 1 ? "str" : "mustache" }];
      return { ...CALL, id: `c${index}`, actions, actionsType: "list" };
    });
    const found = await findingsOf(file("texts.json", [TENANT, ...calls, CATCH]));
    deepEqual(
      found.map(({ nodeId, rule, message }) => [nodeId, rule, message.split("{{payload.name}}").at(-1)]),
      [".", ", with the type mustache (text with {{fields}}).", ".", ", without msg."].map((end, index) => [
        `c${index}`,
        "wrong-placeholder",
        end,
      ]),
    );
  });

  it("reports nothing that no message and no deploy reads", async () => {
    const gate = { type: "business-hour-gate", tenant: "t", source: "value" };
    const control = { type: "telephony-control", tenant: "t" };
    const nodes = [
      { ...TENANT, callingExceptions: " ", callingExceptionsType: "global", allow: [], allowType: "jsonata" },
      { ...CALL, onceFor: "never", target: [] },
      { ...CALL, id: "expression", toNumber: 'payload.number ~> |$|{"a": 1}|', toNumberType: "jsonata" },
      { ...control, id: "count", command: "count", key: "0901", keyType: "json" },
      { ...control, id: "any", key: " ", keyType: "global" },
      { ...gate, id: "unknown", schedule: [], scheduleType: "list", onUnknown: "open" },
      { ...gate, id: "forced", schedule: "", scheduleType: "json", override: "payload", overrideType: "msg" },
    ];
    deepEqual(await findingsOf(file("idle.json", [...nodes, CATCH])), []);
    const read = [
      { ...TENANT, callingHours: "Office", callingExceptions: " ", callingExceptionsType: "global" },
      { ...CALL, onceKey: "payload.id", onceKeyType: "msg", onceFor: "never" },
      { ...control, id: "cancel", command: "cancel", key: "0901", keyType: "json" },
      { ...gate, id: "empty", schedule: [], scheduleType: "list" },
    ];
    const findings = await findingsOf(file("read.json", [...read, CATCH]));
    deepEqual(
      findings.map(({ nodeId }) => nodeId),
      ["t", "c", "cancel", "empty"],
    );
  });

  it("prints no control character of a name", async () => {
    const name = "Ring\u001b[31m\n\u009bnobody";
    const path = file("names.json", [
      TENANT,
      { ...CALL, name, toNumbr: "1" },
      { id: "s\u001b", type: "split", name, wires: [["c"]] },
    ]);
    for (const json of [[], ["--json"]]) {
      const { out } = await telephony("lint", path, ...json);
      match(out, /Ring.*nobody/);
      doesNotMatch(out.replace(/\n/g, ""), /\p{Cc}|\\u00/u);
    }
  });

  it("names the call that waits between a request and its response, but none that does not wait or stands beside", async () => {
    const tenant = { ...TENANT, callingHours: "Office" };
    const calls = [{}, { anytime: "true" }, { wires: [] }].map((more, index) => {
      const hook = { id: `h${index}`, type: "http in", wires: [[`c${index}`, "r"]] };
      return [hook, { ...CALL, name: "", wires: [["r"]], ...more, id: `c${index}` }];
    });
    const webhooks = ["flow", "outcome"].map((answer) => {
      const hook = { id: `h ${answer}`, type: "telephony-webhook", path: answer, answer, wires: [[`c ${answer}`]] };
      return [hook, { ...CALL, name: "", wires: [["r"]], id: `c ${answer}` }];
    });
    const path = file("waits.json", [
      tenant,
      ...calls.flat(),
      ...webhooks.flat(),
      { id: "r", type: "http response" },
      CATCH,
    ]);
    const waits = (await findingsOf(path)).filter(({ rule }) => rule === "waits-before-response");
    deepEqual(
      waits.map(({ nodeId, node, severity }) => [nodeId, node, severity]),
      ["c0", "c flow"].map((id) => [id, "call out", "warning"]),
    );
    match(waits[0]?.message ?? "", /calling hours.*a http response node behind it/);
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
      ["https://acme.example.com", "call → 0901234567", "open? own week"],
    );
    match(JSON.stringify(findings), /a split node may let \\"call → 0901234567\\" call any number/);
    match((await telephony("lint", path)).out, /call-out "call → 0901234567" \(c\): /);
  });

  it("advises a webhook where requests of an http in reach what acts, whatever stands between, and not where they only read", async () => {
    const acting = NODES.filter(({ type }) => /^(?:call-|business-hour-(?:create|ensure|delete)$)/.test(type));
    const control = (command?: string) => ({ type: "telephony-control", ...(command && { command }) });
    const reading = ["list", "get", "gate"].map((name) => ({ type: `business-hour-${name}` }));
    const ends = [...acting, control(), control("drop"), control("count"), control("list"), ...reading];
    const flows = ends.flatMap(({ type, ...more }, index) => [
      { id: `${type} ${index}`, type: "http in", method: "get", wires: [[`end${index}`]] },
      { id: `end${index}`, type, ...("command" in more && { command: more.command }), tenant: "t" },
    ]);
    const ways = [
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
      { id: "harmless", type: "http in", wires: [["ask too", "shared 1"]] },
      { id: "ask too", type: "link call", links: ["sub"], wires: [["r"]] },
      { id: "shared", type: "subflow", in: [{ wires: [{ id: "s1" }] }], out: [{ wires: [{ id: "s1" }] }] },
      { id: "s1", type: "change", z: "shared", wires: [[]] },
      { id: "shared 1", type: "subflow:shared", wires: [["r"]] },
      { id: "shared 2", type: "subflow:shared", wires: [["end0"]] },
      { id: "r", type: "http response" },
      { id: "safe", type: "telephony-webhook", path: "a", answer: "flow", wires: [["c"]] },
    ];
    const found = await findingsOf(file("open.json", [TENANT, ...flows, ...ways, CATCH]));
    deepEqual(
      found.flatMap(({ rule, nodeId, message }) => {
        if (rule !== "open-webhook") return [];
        match(message, /telephony-webhook/);
        return [nodeId.replace(/ \d+$/, "")];
      }),
      [...acting.map(({ type }) => type), "telephony-control", "telephony-control", "by links"],
    );
  });

  it("wants a key that a repetition has, too, where a webhook answers with the outcome", async () => {
    const keys: readonly [value: string, type: string, isKey: boolean][] = [
      ["", "msg", false],
      ["payload.order", "msg", true],
      ["requestId", "msg", true],
      ["_msgid", "msg", false],
      ["webhook.id", "msg", false],
      ["order {{payload.order}} {{_msgid}}", "mustache", false],
      ["payload.order & $now()", "jsonata", false],
      ["$uuid()", "jsonata", false],
      ["$string($millis())", "jsonata", false],
      ["$random()", "jsonata", false],
      ["$string(payload.order)", "jsonata", true],
    ];
    const calls = keys.map(([onceKey, onceKeyType], index) => ({ ...CALL, onceKey, onceKeyType, id: `c${index}` }));
    const flow = (answer: object, end = calls) => [
      { id: "w", type: "telephony-webhook", path: "order", ...answer, wires: [["f"]] },
      { id: "f", type: "function", func: "return msg;", wires: [end.map(({ id }) => id)] },
      ...end,
      TENANT,
      CATCH,
    ];
    const keyless = keys.flatMap(([, , isKey], index) => (isKey ? [] : [`no-deduplication-key c${index}`]));
    for (const answer of [{}, { answer: "outcome" }]) {
      const found = await findingsOf(file("keys.json", flow(answer)));
      deepEqual(
        found.map(({ rule, nodeId }) => `${rule} ${nodeId}`),
        keyless,
      );
    }
    for (const answer of ["taken", "flow"]) deepEqual(await findingsOf(file("keys.json", flow({ answer }))), []);
    const escalation = { ...CALL, type: "call-escalate" };
    deepEqual(await findingsOf(file("keys.json", flow({}, [escalation] as never))), []);
  });

  it("takes a function that returns one message in an array for one message", async () => {
    const codes = ["[msg];", "[null, msg];", "[msg, null]", "[[msg, other]];", "list;"];
    const flows = codes.map((returned, index) => {
      const func = `return ${returned}`;
      const call = { ...CALL, id: `c${index}` };
      return [{ id: `f${index}`, type: "function", func, wires: [[call.id]] }, call];
    });
    const path = file("functions.json", [TENANT, ...flows.flat(), CATCH]);
    const found = (await findingsOf(path)).map(({ rule, nodeId }) => `${rule} ${nodeId}`);
    deepEqual(found, ["no-deduplication-key c3", "no-deduplication-key c4"]);
  });

  it("names the node that leaves a repeated request without an answer, but for one beside the response", async () => {
    const once = { onceKey: "payload.order", onceKeyType: "msg", onceAgain: "ignore" };
    const calls = [once, { ...once, onceAgain: "refuse" }, { ...once, onceKey: "" }, { ...once, wires: [[]] }];
    const flows = calls.flatMap((more, index) => [
      { id: `in${index}`, type: "http in", wires: [[`c${index}`, "other"]] },
      { ...CALL, wires: [["out"]], ...more, id: `c${index}` },
    ]);
    const nodes = [TENANT, CATCH, ...flows, { id: "out", type: "http response" }];
    const hanging = (await findingsOf(file("ignored.json", nodes))).filter(
      ({ rule }) => rule === "waits-before-response",
    );
    deepEqual(
      hanging.map(({ nodeId }) => nodeId),
      ["c0"],
    );
  });

  it("names a remedy for a Delay that the node behind it has", async () => {
    const people = { ...CALL, id: "people", type: "call-escalate" };
    const flows = [CALL, people].map((node) => {
      const delay = {
        id: `before ${node.id}`,
        type: "delay",
        pauseType: "delay",
        timeout: "5",
        timeoutUnits: "minutes",
      };
      return [{ ...delay, wires: [[node.id]] }, node];
    });
    const findings = await findingsOf(file("delays.json", [TENANT, ...flows.flat(), CATCH]));
    deepEqual(
      findings.map(({ nodeId, rule }) => `${rule} ${nodeId}`),
      ["delay-before-call before c", "delay-before-call before people"],
    );
    const [call = "", escalation = ""] = findings.map(({ message }) => message);
    match(call, /Set "Not before" \(notBefore\) in that node instead/);
    match(escalation, /Start it at the time it is due instead, with an Inject node/);
    doesNotMatch(escalation, /notBefore/);
  });

  for (const [what, content, says] of [
    ["no JSON", "flows", /is not JSON/],
    ["no flow", "{}", /is not a flow/],
    ["a list of something else", "[1]", /is not a flow/],
  ] as const)
    it(`exits with 2 for a file that is ${what}`, async () => {
      const { code, out, err } = await telephony("lint", file("none.json", content));
      deepEqual([code, out], [2, ""]);
      match(err, says);
    });

  it("exits with 2 for a file that is not there, or none at all", async () => {
    match((await telephony("lint", join(folder, "gone.json"))).err, /gone\.json does not exist; check its path/);
    equal((await telephony("lint", join(folder, "gone.json"))).code, 2);
    equal((await telephony("lint")).code, 2);
  });
});
