import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/*
 * Node-RED has a light theme, a dark one, and those that people make. A dialog fits all of them only when every color is
 * one of the theme's. A node's own color on the canvas is no part of its dialog.
 */

/** Properties whose value may hold a color. */
const COLORED =
  /^(?:color|fill|stroke|(?:caret|accent|scrollbar)-color|(?:background|border|outline|text-decoration|column-rule)[\w-]*|(?:box|text)-shadow|filter)$/;

/** Parts of such a value that are not colors: lengths, line styles, theme colors, inherited ones. */
const HARMLESS = /^(?:-?[\d.]+(?:px|em|rem|%)?|solid|dashed|dotted|none|inherit|transparent|currentcolor|var)$/i;

/** Hard-coded colors in declarations, such as `color: red`. */
function colors(css: string): string[] {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...bare.matchAll(/(?<=^|[{;"'])\s*([a-z-]+)\s*:\s*([^;{}]+)/gi)].flatMap(
    ([declaration, property = "", value = ""]) => {
      const theme = value.replace(/var\(--red-ui-[\w-]+\)/g, "var");
      const words = theme.split(/[\s,/()]+/).filter((word) => word !== "");
      const isOwn = COLORED.test(property) && !/radius|width|style|spacing|collapse/.test(property);
      return isOwn && words.some((word) => !HARMLESS.test(word)) ? [declaration.trim()] : [];
    },
  );
}

/** Colors in code: a literal, or one that is set beside the style sheets. */
function codedColors(code: string): string[] {
  const literals = code.match(/["'`]#(?:[\da-f]{3,4}){1,2}["'`]|\b(?:rgb|hsl|oklch|oklab|lab|lch|hwb)a?\(/gi) ?? [];
  const set = code.match(/\.css\(\s*\{?\s*["']?(?:color|background|border|fill|stroke)[^)]*\)/gi) ?? [];
  const styles = [...code.matchAll(/\bstyle: (["'`])(.*?)\1/g)].flatMap(([, , css = ""]) => colors(css));
  return [...literals, ...set, ...styles];
}

/** Colors in markup: of styles, and of attributes that only old pages have. */
function markedColors(html: string): string[] {
  const styles = [...html.matchAll(/\sstyle=(?:"([^"]*)"|([^\s>]*))/g)];
  const attributes = html.match(/\s(?:bg)?color=\S+/g) ?? [];
  return [...styles.flatMap(([, quoted, bare]) => colors(quoted ?? bare ?? "")), ...attributes];
}

function files(folder: string, extension: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
}

/** What is found in each file, by name. */
function found(names: readonly string[], look: (text: string) => string[]): [string, string[]][] {
  assert.notEqual(names.length, 0);
  return names
    .map((name): [string, string[]] => [name, look(readFileSync(join(root, name), "utf8"))])
    .filter(([, hits]) => hits.length > 0);
}

describe("The editor's colors", () => {
  it("are the theme's in every style sheet", () => {
    assert.deepEqual(found(files("src/editor", ".css"), colors), []);
  });

  it("are not set by code, except those of the nodes", () => {
    const own = (code: string) => code.replace(/^ {2}color: "#[\da-f]{6}",$/m, "");
    assert.deepEqual(
      found(files("src/editor", ".ts"), (code) => codedColors(own(code))),
      [],
    );
  });

  it("are not set by the dialogs", () => {
    assert.deepEqual(
      found(files("nodes", ".html"), (html) => [...markedColors(html), ...codedColors(html)]),
      [],
    );
  });

  it("would be found", () => {
    for (const css of [
      "a { color: red }",
      "a { margin: 0; background: #fff; }",
      "a { border: 1px solid rgb(0 0 0) }",
      "a { border-top-color: var(--my-color) }",
      "a { box-shadow: 0 0 4px black }",
    ])
      assert.equal(colors(css).length, 1, css);
    assert.deepEqual(colors("a { border: 1px solid var(--red-ui-form-input-border-color); border-radius: 2px }"), []);
    assert.deepEqual(colors("a { color-scheme: dark; color: inherit; outline: none }"), []);
    assert.equal(codedColors('row.css("color", "gray").attr({ style: "background: gray" })').length, 2);
    assert.equal(codedColors('const RED = "#FF0000"; draw("rgba(1, 2, 3)");').length, 2);
    assert.equal(markedColors('<p style="color: red"><font color=red>').length, 2);
  });
});
