import { strict as assert } from "node:assert";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BuildError } from "../../src/build/build-error";
import { Catalogue } from "../../src/build/catalogue";
import { expand } from "../../src/build/expand";
import { wholeHelp } from "../../src/build/locales";
import { NODE_TYPES } from "../support/node-types";
import { temporaryFolder } from "../support/process/user-folder";
import { root } from "../support/root";

/*
 * What several nodes say is written once, in the tenant's texts, and stands in help and dialogs as a mark: `{{outputs}}`,
 * `~label.name`.
 */

const locales = join(root, "locales");

function pieces(language: string): string[] {
  const { help } = JSON.parse(readFileSync(join(locales, language, "telephony-tenant.json"), "utf8")) as {
    help: object;
  };
  return Object.keys(help);
}

/** A shorter line is hardly longer than the marks and the key that would save it. */
const WORTH_SHARING = 100;

const written = (language: string, type: string) => readFileSync(join(locales, language, `${type}.html`), "utf8");
const marks = (help: string) => [...help.matchAll(/^\{\{(\w+)\}\}$/gm)].map(([, name]) => name);

describe("The pieces of help", () => {
  for (const language of readdirSync(locales)) {
    it(`are in several helps in ${language}, or they would stand in the one`, () => {
      const used = NODE_TYPES.flatMap((type) => marks(written(language, type)));
      for (const piece of pieces(language))
        assert.ok(
          used.filter((name) => name === piece).length > 1,
          `locales/${language}/telephony-tenant.json: help.${piece}`,
        );
    });

    it(`repeat nothing that a help says itself in ${language}`, () => {
      const said = new Map<string, string>();
      for (const type of NODE_TYPES)
        for (const line of written(language, type).split("\n")) {
          if (line.length < WORTH_SHARING) continue;
          assert.equal(said.get(line), undefined, `locales/${language}/${type}.html repeats: ${line}`);
          said.set(line, type);
        }
    });

    it(`are in no first paragraph in ${language}: the palette has shown it before they are filled in`, () => {
      for (const type of NODE_TYPES) {
        const [first = ""] = written(language, type).split("\n\n");
        assert.deepEqual(marks(first), [], `locales/${language}/${type}.html`);
      }
    });
  }

  it("are filled in, and missed with the file and the key", () => {
    const folder = temporaryFolder();
    const write = (help: string) => writeFileSync(join(folder, "x.html"), help);
    writeFileSync(join(folder, "telephony-tenant.json"), '{ "help": { "two": "One $& line.\\nAnother." } }');
    write("Reads `{{id}}`.\n\n{{two}}\nEnd.\n");
    assert.equal(wholeHelp(folder, "x"), "Reads `{{id}}`.\n\nOne $& line.\nAnother.\nEnd.\n");
    write("Reads.\n\n{{three}}\n");
    assert.throws(() => wholeHelp(folder, "x"), /x\.html: has a mark .* telephony-tenant\.json .*help\.three/);
    write("Reads.\n\n{{ two }}\n");
    assert.throws(() => wholeHelp(folder, "x"), /x\.html: cannot read the mark \{\{ two \}\}/);
  });
});

describe("The shared texts of a dialog", () => {
  const texts = new Catalogue({ label: { id: "Id" } }, { label: { name: "Name" }, count: "How many" });
  const built = (html: string) => expand(html, { properties: [], catalogue: texts, editor: () => "" });

  it("are marked, and the node's own are not", () => {
    assert.equal(
      built('<p data-i18n="label.id"></p><b data-i18n="[title]count;[aria-label]label.name"></b>'),
      '<p data-i18n="label.id"></p><b data-i18n="[title]~count;[aria-label]~label.name"></b>',
    );
  });

  it("are missed with their key, and marked by the build alone", () => {
    assert.throws(() => built('<p data-i18n="label.nme"></p>'), { message: /label\.nme/, constructor: BuildError });
    assert.throws(() => built('<p data-i18n="~label.name"></p>'), /has a ~/);
  });
});
