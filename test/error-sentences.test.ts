import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI, NodeMessage } from "node-red";
import { dayList, type Fields, spokenActions, text } from "../src/fields";
import { target } from "../src/runtime/output";
import { asTenantError, sentence } from "../src/runtime/texts";
import { notSent } from "../src/tenant";
import { readerOf } from "./fields-host";

/*
 * What fills the gaps of an error's sentence is of its language too: a sentence in Vietnamese that says "the dialog gives
 * a list" is half a translation. Paths, codes and words of the wire are the same everywhere.
 */

const LOCALES = join(__dirname, "..", "..", "locales");
const LANGUAGES = readdirSync(LOCALES);

/** Words that no other language here has, and that a gap filled in English would show. */
const ENGLISH =
  /(?<![\w.])(?:the|gives|list|object|function|template|expression|current time|under way|pending|applied|done|unknown)(?![\w.])/i;

interface Texts {
  readonly [key: string]: string | Texts;
}

/** Node-RED's `_` in a language, without its fallback to English. */
function speaking(language: string): NodeAPI {
  const texts = JSON.parse(readFileSync(join(LOCALES, language, "telephony-tenant.json"), "utf8")) as Texts;
  const say = (key: string, params: Record<string, unknown> = {}) => {
    const path = key.slice(key.indexOf(":") + 1).split(".");
    const found = path.reduce<string | Texts | undefined>((at, step) => (at as Texts | undefined)?.[step], texts);
    assert.equal(typeof found, "string", `${language} has no ${key}`);
    return String(found).replace(/__(\w+?)__/g, (gap, name: string) => String(params[name] ?? gap));
  };
  return { _: say, util: {} } as unknown as NodeAPI;
}

/** The error of a field that a flow file and a message give. */
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

const TO = { "to.number": text() };
const said = (value: unknown, type: string) => ({ toNumber: value, toNumberType: type });

/** What goes wrong, where its value came from, and the English words that its sentence has for that. */
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
    "a property that cannot be named",
    thrown(() => target(speaking("en-US"), "").check({} as NodeMessage)),
    "the dialog",
    /no property name/,
  ],
];

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

  it("says in its own language how the first use of a once key ended", () => {
    for (const outcome of ["pending", "applied", "unknown"] as const) {
      const error = notSent("ERR_DUPLICATE", "queue", {
        params: { at: "2030-01-01T00:00:00Z", outcome: { word: outcome } },
      });
      const texts = LANGUAGES.map((language) => sentence(speaking(language), error));
      assert.equal(new Set(texts).size, LANGUAGES.length);
      for (const [index, text] of texts.entries())
        if (LANGUAGES[index] !== "en-US") assert.doesNotMatch(text, ENGLISH, LANGUAGES[index]);
    }
  });
});
