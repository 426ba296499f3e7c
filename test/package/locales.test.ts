import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { help as helpText } from "../../src/build/help";
import { NODE_TYPES, NODES } from "../support/node-types";
import { root } from "../support/root";

/*
 * A translation must have the content of the English texts, the same placeholders and the same words that go over the
 * wire.
 */

const locales = join(root, "locales");
const SOURCE = "en-US";

/** Longer texts than this are sentences, and no sentence is the same in two languages. */
const SENTENCE = 20;

/** Values that are the same in every language, however long. */
const SAME_EVERYWHERE = new Set([
  "__tenant__: __sentence__",
  "__what__. __waiting__ __todo__",
  "| `ERR_TIMEOUT`, `ERR_CONNECTION_LOST`, `ERR_SERVER` | __mayHaveBeen__ |",
  "https://acme.example.com",
  "redis://redis.example.com:6379",
  "https://acme.example.com/answer",
  "https://acme.example.com/hello.mp3",
]);

/** Words that no other language here has, and that a half-translated sentence would keep. */
const ENGLISH = /(?<![\w.-])(?:the|and|with|which|whose|cannot|nothing|would|should|such as)(?![\w.-])/i;

/**
 * Text that users type, read in a message or search in a log: addresses, paths, codes, numbers, protocol words. Numbers
 * that begin with + are examples of a country.
 */
const LITERAL =
  /https?:\/\/[\w./-]*|msg\.\w[\w.]*\w|from\.number|ERR_\w+|(?<![+\d])\d+(?:[.:T-]\d+)*|\b(?:true|false|JSON|TLS|KB|Authentication|blind|attended|mon|tue|wed|thu|fri|sat|sun)\b/g;

/** Languages with full-width punctuation, and a half-width sign behind one of their characters, or behind what fills a gap. */
const FULL_WIDTH = ["ja", "zh-CN"];
const HALF_WIDTH = /(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー）」”]|__)(?:[:;,!(]|\?(?!\w))/u;

type Texts = ReadonlyMap<string, string>;

function files(language: string): string[] {
  return readdirSync(join(locales, language), { recursive: true, encoding: "utf8" }).sort();
}

function read(language: string): string {
  return readFileSync(join(locales, language, "telephony.json"), "utf8");
}

/** A help text as users read it. */
function helpOf(language: string, type: string): string {
  const node = NODES.find((each) => each.type === type) ?? assert.fail(type);
  return helpText(join(locales, language), node);
}

/** A catalogue as its key paths with their texts. */
function leaves(json: string): Texts {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string) => {
    if (typeof value === "string") found.set(path, value);
    else if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) walk(inner, path === "" ? key : `${path}.${key}`);
    else throw new TypeError(`${path} is no text: ${JSON.stringify(value)}`);
  };
  walk(JSON.parse(json), "");
  return found;
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([all, first]) => first ?? all);
}

const set = (words: Iterable<string>) => [...new Set(words)].sort();
const gaps = (text: string) => set(matches(text, /\$?\{*__\w+?__\}*/g));

/** The problems of a catalogue, compared with the English one. */
function catalogueProblems(english: string, translated: string): string[] {
  const from = leaves(english);
  const to = leaves(translated);
  const problems = [...to.keys()].filter((key) => !from.has(key)).map((key) => `${key}: not in ${SOURCE}`);
  for (const [key, text] of from) {
    const other = to.get(key);
    const say = (problem: string) => problems.push(`${key}: ${problem}`);
    if (other === undefined) say("missing");
    else if (other.trim() === "") say("empty");
    else {
      if (gaps(other).join() !== gaps(text).join()) say(`gaps are ${gaps(other)} instead of ${gaps(text)}`);
      const lost = lostLiterals(text, other);
      if (lost.length > 0) say(`lacks ${lost}`);
      if (other.includes("<") && !text.includes("<")) say("contains markup");
      if (text.length > SENTENCE && other === text && !SAME_EVERYWHERE.has(text)) say("not translated");
      const left = ENGLISH.exec(other);
      if (left) say(`still says "${left[0]}"`);
    }
  }
  return problems;
}

function lostLiterals(text: string, other: string): string[] {
  const bare = text.replace(/__\w+?__/g, " ");
  return set(matches(bare, LITERAL).map((literal) => literal.replace(/\.$/, ""))).filter(
    (literal) => !other.includes(literal),
  );
}

const FENCE = /^```json\n([\s\S]*?)^```$/gm;
const prose = (help: string) => help.replace(FENCE, "");
/** Finds words of code, but for phone numbers, which are examples of a country. */
const codes = (help: string) =>
  set(matches(prose(help), /`([^`\n]+)`/g).filter((code) => !/^(?:\+\d|0\d+ \d)/.test(code)));
const bolds = (help: string) => set(matches(prose(help), /\*\*([^*\n]+)\*\*/g));
const headings = (help: string) => matches(prose(help), /^(#+) /gm);
/** The names in a definition list, `: name (type) : text`. The types may be words of the language, as Node-RED's own are. */
const terms = (help: string) => matches(help, /^: (\S.*?)(?: \([^)]*\))? : /gm);
const rows = (help: string) => matches(prose(help), /^(\|)/gm).length;

/**
 * An example's shape: what is called how and is of which type; names and texts in it may be of the language.
 * @param zone of the example: its instants are shown without the offset that they must have there
 */
function shape(value: unknown, zone?: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => shape(inner, zone));
  if (typeof value === "object" && value !== null) {
    const { timezone = zone } = value as { readonly timezone?: string };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner, timezone)]));
  }
  if (typeof value !== "string") return value;
  if (!/^[\d:+T-]+$/.test(value)) return "a text";
  if (zone === undefined || !value.includes("T")) return value;
  const wall = new Date(value).toLocaleString("sv", { timeZone: zone }).replace(" ", "T");
  return value.startsWith(wall) ? wall : value;
}

const examples = (help: string) =>
  JSON.stringify(matches(help, FENCE).map((example) => shape(JSON.parse(example) as unknown)));

/** The problems of a help text, compared with the English one. */
function helpProblems(english: string, translated: string): string[] {
  const problems: string[] = [];
  const same = (what: string, of: (help: string) => unknown) => {
    const [expected, actual] = [of(english), of(translated)];
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      problems.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  if (/<\/?script/.test(translated)) problems.push("a script");
  same("headings", headings);
  same("words of code", codes);
  same("described fields", terms);
  same("table rows", rows);
  same("examples", examples);
  for (const { 0: bold, index } of prose(translated).matchAll(/\*\*[^*\n]+\*\*/g)) {
    const [before, after] = [prose(translated)[index - 1] ?? "", prose(translated)[index + bold.length] ?? ""];
    if ([before + bold[2], after + bold.at(-3)].some((edge) => /\p{L}[\p{P}\p{S}]/u.test(edge)))
      problems.push(`Markdown shows the asterisks of ${before}${bold}${after}`);
  }
  const lines = new Set(prose(english).split("\n"));
  for (const line of prose(translated).split("\n")) {
    const bare = line.replace(/`[^`]*`/g, "");
    if (bare.length > SENTENCE && lines.has(line)) problems.push(`not translated: ${line}`);
    const left = ENGLISH.exec(bare);
    if (left) problems.push(`still says "${left[0]}": ${line}`);
  }
  return problems;
}

/** Finds labels that the English help names in bold, and the translated help by no word that its dialog shows. */
function nameProblems(english: string, translated: string, from: Texts, to: Texts): string[] {
  const plain = (text: string) => text.toLowerCase();
  const shown = new Set(bolds(translated).map(plain));
  return bolds(english).flatMap((name) => {
    const keys = [...from].filter(([, text]) => plain(text) === plain(name)).map(([key]) => key);
    const named = keys.length === 0 || keys.some((key) => shown.has(plain(to.get(key) ?? "")));
    return named ? [] : [`no ${set(keys.map((key) => `"${to.get(key)}"`)).join(" or ")} for **${name}**`];
  });
}

/** Lists all that a help text may name: its own node's texts, the shared ones, and the names of the other nodes. */
function names(language: string, type: string): Texts {
  const isOther = (owner = "") => owner !== type && owner !== "telephony-tenant" && NODE_TYPES.includes(owner);
  const entries = [...leaves(read(language))].filter(([key]) => {
    const [owner, ...path] = key.split(".");
    return !isOther(owner) || path.join(".") === "type";
  });
  return new Map(entries);
}

const translations = readdirSync(locales).filter((language) => language !== SOURCE);
const pieces = files(SOURCE);

describe("The English texts", () => {
  it("name each gap as __name__, and show no way around certificates", () => {
    for (const [key, text] of leaves(read(SOURCE))) {
      assert.equal((text.match(/__/g)?.length ?? 0) % 2, 0, key);
      if (key.startsWith("errors.")) assert.doesNotMatch(text, /rejectUnauthorized|NODE_TLS|verif|insecure/i, key);
    }
  });
});

describe("The translations", () => {
  it("are there, and have something to translate", () => {
    assert.notEqual(translations.length, 0);
    assert.ok(NODE_TYPES.length >= 6);
    const known = ["action", ...NODE_TYPES].map((type) => join("help", `${type}.md`));
    const stray = pieces.filter((piece) => !["help", "telephony.json", ...known].includes(piece));
    assert.deepEqual(stray, [], `not of any node, in locales/${SOURCE}`);
  });

  for (const language of translations) {
    describe(language, () => {
      it("has every file of the English texts and no other", () => {
        const has = files(language);
        const missing = pieces.filter((piece) => !has.includes(piece));
        const stray = has.filter((piece) => !pieces.includes(piece));
        assert.deepEqual(
          { missing, stray },
          { missing: [], stray: [] },
          `locales/${language} is not locales/${SOURCE}`,
        );
      });

      it("has every text", () => {
        assert.deepEqual(catalogueProblems(read(SOURCE), read(language)), []);
      });

      if (FULL_WIDTH.includes(language))
        it("has full-width punctuation", () => {
          // What the palette's search finds is a list with half-width commas.
          const texts = [...leaves(read(language))].filter(([key]) => !key.endsWith("keywords"));
          const pages = NODE_TYPES.map((type) => [`help of ${type}`, prose(helpOf(language, type))] as const);
          const found = [...texts, ...pages].flatMap(([key, text]) =>
            HALF_WIDTH.test(text) ? `${key}: ${HALF_WIDTH.exec(text)}` : [],
          );
          assert.deepEqual(found, []);
        });

      for (const type of NODE_TYPES) {
        it(`has the help of ${type}`, () => {
          assert.deepEqual(helpProblems(helpOf(SOURCE, type), helpOf(language, type)), []);
        });

        it(`calls in the help of ${type} things as the dialog does`, () => {
          const [english, translated] = [helpOf(SOURCE, type), helpOf(language, type)];
          assert.deepEqual(nameProblems(english, translated, names(SOURCE, type), names(language, type)), []);
        });
      }
    });
  }
});
