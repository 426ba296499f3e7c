import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/*
 * What a dialog shows comes from a catalogue, or it is English for everybody. This looks for words that stand in the
 * dialogs and their code themselves. locales.test.ts checks that every language has every key.
 */

const dialogs = readdirSync(join(root, "nodes")).filter((name) => name.endsWith(".html"));
const sources = ["src/editor"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
);

/** Addresses, numbers and the name of a header are the same in every language. */
const SAME_EVERYWHERE = /^(?:https:\/\/acme\.example\.com|\d+|Authentication)$/;

/** Attributes that a browser shows or a screen reader speaks. */
const SPOKEN = "placeholder|title|alt|aria-label|aria-roledescription|label";

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** Finds words in markup that cannot be translated. */
function markedWords(markup: string): string[] {
  const tags = /<(?:"[^"]*"|[^">])*>/g;
  const visible = markup.replace(/\{\{[\s\S]*?\}\}/g, "").replace(/<!--[\s\S]*?-->/g, "");
  const texts = visible.replace(tags, "\n").match(/\S.*/g) ?? [];
  const attributes = (visible.match(tags) ?? []).flatMap((tag) =>
    [...tag.matchAll(new RegExp(`\\s(?:${SPOKEN})="([^"]*)"`, "g"))].map(([, value = ""]) => value),
  );
  return [...texts, ...attributes.filter((value) => !SAME_EVERYWHERE.test(value))];
}

/** The same in code: a literal with letters where something is shown. */
function codedWords(code: string): string[] {
  const literal = `(["'\`])((?:(?!\\1)[^\\n$])*\\p{L}(?:(?!\\1)[^\\n$])*)\\1`;
  const shown = [
    new RegExp(`\\.(?:text|html|append|prepend|setContent)\\(\\s*${literal}`, "gu"),
    new RegExp(`createTextNode\\(\\s*${literal}`, "gu"),
    new RegExp(`\\.attr\\(\\s*"(?:${SPOKEN})",\\s*${literal}`, "gu"),
    new RegExp(`(?:\\b(?:title|placeholder|alt|label|addButton|content)|"aria-label"): ${literal}`, "gu"),
  ];
  const said = shown.flatMap((pattern) => [...code.matchAll(pattern)].map(([, , text = ""]) => text));
  const marked = [...code.matchAll(/\$\((["'`])(<.*?>.*?)\1/g)].flatMap(([, , html = ""]) => markedWords(html));
  return [...said, ...marked];
}

describe("The editor's texts", () => {
  for (const name of dialogs)
    it(`come from the catalogue in ${name}`, () => {
      const [markup = ""] = read(`nodes/${name}`).split('<script type="text/javascript">');
      assert.deepEqual(markedWords(markup), []);
    });

  it("come from the catalogue in the code that the dialogs share", () => {
    for (const file of sources) assert.deepEqual(codedWords(read(file)), [], file);
  });
});
