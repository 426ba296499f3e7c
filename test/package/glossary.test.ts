import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/** The languages by their headings in the glossary. */
const LANGUAGES = [
  ["English", "en-US"],
  ["German", "de"],
  ["Japanese", "ja"],
  ["Vietnamese", "vi"],
  ["Chinese", "zh-CN"],
] as const;

const page = readFileSync(join(root, "docs", "glossary.md"), "utf8");

/** The rows of the table below a heading, without its head. */
function table(heading: string): string[][] {
  const [, text = ""] = page.split(new RegExp(`^#+ ${heading}\n`, "m"));
  const lines = text.split(/^#/m)[0]?.match(/^\|.*\|$/gm) ?? [];
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const words = (cell = "") => cell.split(", ").filter(Boolean);

/** Returns the texts that a reader of the language sees, by their keys: without code, placeholders, and the words for searching the palette. */
function textsOf(language: string): [place: string, text: string][] {
  const folder = join(root, "locales", language);
  const found: [string, string][] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value === "string") found.push([path, value]);
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, `${path}.${key}`);
  };
  walk(JSON.parse(readFileSync(join(folder, "telephony.json"), "utf8")), language);
  for (const file of readdirSync(join(folder, "help"))) walk(readFileSync(join(folder, "help", file), "utf8"), file);
  return found
    .filter(([place]) => !place.endsWith(".keywords"))
    .map(([place, text]) => [place, text.replace(/^```[\s\S]*?^```|`[^`\n]*`|__\w+?__|\{\{\w+\}\}/gm, "◦")]);
}

/** Finds a word; in scripts with blanks, not in the middle of another one. */
function pattern(word: string): RegExp {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return /[\p{Script=Han}\p{Script=Kana}\p{Script=Hira}]/u.test(word)
    ? new RegExp(literal, "gu")
    : new RegExp(`(?<![\\p{L}\\p{M}-])${literal}(?![\\p{L}\\p{M}])`, "gu");
}

describe("The glossary", () => {
  for (const [name, language] of LANGUAGES)
    it(`has replaced words for good: ${name}`, () => {
      const rows = table(name);
      assert.notEqual(rows.length, 0);
      const texts = textsOf(language);
      const back = rows.flatMap(([not, but, except]) =>
        words(not).flatMap((word) =>
          texts.flatMap(([place, text]) => {
            const rest = words(except).reduce((left, allowed) => left.replaceAll(allowed, "◦"), text);
            const [found] = pattern(word).exec(rest) ?? [];
            return found === undefined ? [] : [`${place}: ${but}, not ${found}`];
          }),
        ),
      );
      assert.deepEqual(back, []);
    });
});
