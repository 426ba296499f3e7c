import { strict as assert } from "node:assert";
import type { NodeMessage } from "node-red";
import { notSent, TenantError } from "../../../src/client";
import { NumberGuard } from "../../../src/client/guard/number-guard";
import { DIALOG, dayList, type Fields, type Source, spokenActions, text, ValueError } from "../../../src/fields";
import { asTenantError, sentence } from "../../../src/runtime/node-red/texts";
import { target } from "../../../src/runtime/nodes/action/target";
import { actionOf, WRITES } from "../../support/node-types";
import { catalogueOf, LANGUAGES, speaking } from "../../support/speaking";
import { readerOf } from "../fields/host";

/*
 * What fills the gaps of an error's sentence is of its language too: a sentence in Vietnamese that says "the dialog gives
 * a list" is half a translation. Paths, codes and words of the wire are the same everywhere.
 */

/** Words that no other language here has, and that a gap filled in English would show. */
const ENGLISH =
  /(?<![\w.])(?:the|gives|list|object|function|template|expression|current time|in flight|pending|applied|done|unknown)(?![\w.])/i;

/** The error of a field that is set by a flow file and by a message. */
function refused(fields: Fields, config: Record<string, unknown>, message: object = {}): () => Promise<unknown> {
  return () =>
    readerOf(
      fields,
      config,
    )(message).then(
      () => assert.fail("nothing was refused"),
      (error: unknown) => error,
    );
}

function thrown(action: () => unknown): () => Promise<unknown> {
  return async () => {
    try {
      action();
    } catch (error) {
      return error;
    }
    return assert.fail("nothing was refused");
  };
}

const ANYWHERE = { country: "", perNumber: 0, perNumberMs: 0 };
const inDialog = (value: unknown): Source => ({ label: DIALOG, fixed: true, read: () => value });
const LISTS = { allow: inDialog([]), block: inDialog([]) };

const TO = { "to.number": text() };
const said = (value: unknown, type: string) => ({ toNumber: value, toNumberType: type });

/** An error, the source of its value, and the English words that its sentence has for that. */
const ERRORS: readonly [what: string, make: () => Promise<unknown>, source: string, words: RegExp][] = [
  ["a list in the dialog", refused(TO, said("[1]", "json")), "the dialog", /the dialog gives a list/],
  ["an object in the dialog", refused(TO, said("{}", "json")), "the dialog", /the dialog gives an object/],
  [
    "an expression that gives an object",
    refused(TO, said('{"a": 1}', "jsonata")),
    "a JSONata expression",
    /expression/,
  ],
  ["an expression that fails", refused(TO, said('$error("x")', "jsonata")), "a JSONata expression", /expression/],
  [
    "a clock that gives no list",
    refused({ actions: spokenActions() }, { actions: "x", actionsType: "date" }),
    "the current time",
    /the current time gives/,
  ],
  [
    "a template that gives no list",
    refused({ actions: spokenActions() }, { actions: "x", actionsType: "mustache" }),
    "a template",
    /the template gives/,
  ],
  [
    "a function in a message",
    refused(TO, said("payload", "msg"), { payload: () => 1 }),
    "msg.payload",
    /msg\.payload gives a function/,
  ],
  [
    "an action that is no object",
    refused({ actions: spokenActions() }, { actions: "payload", actionsType: "msg" }, { payload: [[1]] }),
    "msg.payload[0]",
    /gives a list/,
  ],
  [
    "a list for an entry of a schedule",
    refused({ days: dayList() }, {}, { payload: { days: [[1]] } }),
    "msg.payload.days[0]",
    /it is a list/,
  ],
  [
    "a list of numbers that is an object",
    thrown(() => new NumberGuard(ANYWHERE, { ...LISTS, allow: inDialog({}) })),
    "the dialog",
    /the dialog gives an object/,
  ],
  [
    "a list of numbers with a word",
    thrown(() => new NumberGuard(ANYWHERE, { ...LISTS, block: inDialog(["x"]) })),
    "the dialog",
    /phone number, or the beginning of one with \* at its end; the dialog gives "x"/,
  ],
  [
    "a property that cannot be named",
    thrown(() => target(speaking("en-US"), "").check({} as NodeMessage)),
    "the dialog",
    /not a valid property name/,
  ],
];

/** The texts below a key, by their path. */
function flat(texts: object, path = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[path + key, value]] : flat(value as object, `${path}${key}.`),
  );
}

describe("The sentence of an error", () => {
  for (const [what, make, source, words] of ERRORS) {
    it(`names in its own language what was given and where: ${what}`, async () => {
      const error = asTenantError(await make());
      assert.equal(error.details.source, source);
      const english = sentence(speaking("en-US"), error);
      assert.match(english, words);
      for (const language of LANGUAGES) {
        const text = sentence(speaking(language), error);
        assert.doesNotMatch(text, /__|undefined|\[object/, language);
        if (language === "en-US") continue;
        assert.notEqual(text, english);
        assert.doesNotMatch(text, ENGLISH, language);
      }
    });
  }

  it("names a field by its label in the dialog, with the API's name behind it", () => {
    const said = (type: string, field: string) =>
      sentence(
        speaking("en-US"),
        asTenantError(new ValueError("input.notJson", field, {}, "msg.payload")),
        actionOf(type),
      );
    assert.match(said("call-out", "to.number"), /^Not JSON: Number to call \(to\.number\) /);
    assert.match(said("call-out", "actions[1].speed"), /^Not JSON: Say or play, row 2: Speed \(actions\[1\]\.speed\) /);
    assert.match(said("business-hour-create", "name"), /^Not JSON: Schedule \(name\) /);
    assert.match(
      said("business-hour-create", "days[2].open"),
      /^Not JSON: Opening hours, row 3: Opens \(days\[2\]\.open\) /,
    );
    assert.match(said("call-transfer", "onceKey"), /^Not JSON: Only once per \(onceKey\) /);
    // A label that is the name is not said twice, and what has no label keeps its name.
    assert.match(said("business-hour-list", "search"), /^Not JSON: Search \(from /);
    assert.match(said("call-out", "msg"), /^Not JSON: msg /);
    const rate = notSent("ERR_CONFIG", "config", { key: "config.range", params: { field: "rate", from: 0, to: 1000 } });
    for (const type of ["telephony-tenant", "call-out", "business-hour-gate"])
      assert.match(
        sentence(speaking("en-US"), rate, { type }),
        /^Number out of range: Calls per second \(rate\) must be/,
      );
    const hours = asTenantError(new ValueError("input.hours.timeMissing", "schedule.days[0].open", {}));
    assert.match(
      sentence(speaking("en-US"), hours, { type: "business-hour-gate" }),
      /^Missing: the time of Opening hours, row 1: Opens \(schedule/,
    );
    for (const language of LANGUAGES) {
      const { label } = catalogueOf(language)["call-out"] as { label: { toNumber: string } };
      const error = asTenantError(new ValueError("input.missing", "to.number", {}, "msg.payload.to.number"));
      const text = sentence(speaking(language), error, actionOf("call-out"));
      assert.match(text, new RegExp(`${label.toNumber} ?[(（]to\\.number[)）]`), language);
    }
  });

  it("says in its first thirty characters what is wrong, without a gap, in every language", () => {
    const isEnd = (key: string) => /^(mayHaveBeen\.|earlierTry$|simulated$)/.test(key);
    for (const language of LANGUAGES) {
      const all = flat(catalogueOf(language)["errors"] as object).filter(([key]) => !isEnd(key));
      const late = all.filter(([, text]) => {
        const [head = ""] = text.split(/[:.;?,]\s|[:.;?]$|[：。、，（]|\s?\(|\s–/);
        return head.length > 30 || head.includes("__");
      });
      assert.deepEqual(late, [], language);
    }
  });

  it("speaks of what each action may have done, and of a call only where one may exist", () => {
    const lost = (retryable: boolean) =>
      new TenantError("ERR_TIMEOUT", "headers", {
        sent: "maybe",
        outcome: "unknown",
        retryable,
        sentAt: "2030-01-01T00:00:00Z",
      });
    const again = ["call-stop", "business-hour-delete", "business-hour-ensure"];
    for (const language of LANGUAGES) {
      const said = (type: string) => sentence(speaking(language), lost(again.includes(type)), actionOf(type));
      const texts = WRITES.map(said);
      assert.equal(new Set(texts).size, texts.length, language);
    }
    assert.doesNotMatch(sentence(speaking("en-US"), lost(false), actionOf("business-hour-create")), /\bcall\b/);
    assert.match(
      sentence(speaking("en-US"), lost(true), actionOf("business-hour-delete")),
      /You can safely send the message again/,
    );
  });
});
