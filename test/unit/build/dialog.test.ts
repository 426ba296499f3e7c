import assert from "node:assert/strict";
import { dialog } from "../../../src/build/dialog";
import { BuildError } from "../../../src/build/sources";
import type { NodeProperty } from "../../../src/runtime/node-properties";

const catalogue = {
  label: { name: "Name" },
  hint: { name: "Shown on the canvas" },
  "call-x": { label: { id: "Id", kind: "Kind" }, choice: { kind: { a: "First" } }, placeholder: { name: "Mine" } },
};

function build(html: string, properties: readonly NodeProperty[] = []): string {
  return dialog(html, { type: "call-x", kind: "control" }, catalogue, properties);
}

const refused = (html: string, message: RegExp, properties: readonly NodeProperty[] = []) =>
  assert.throws(() => build(html, properties), { constructor: BuildError, message });

describe("The source of a dialog", () => {
  it("gets full keys: the node's own text before the shared one", () => {
    assert.equal(
      build('<p data-i18n="label.id"></p><b data-i18n="[title]hint.name;[aria-label]label.name"></b>'),
      '<p data-i18n="call-x.label.id"></p><b data-i18n="[title]hint.name;[aria-label]label.name"></b>',
    );
  });

  it("gets a row with what the catalogue has for the property", () => {
    const html = build("  {{row name fa-tag}}\n", [{ property: "name", start: "" }]);
    assert.match(html, /^ {2}<div class="form-row telephony-row">\n {4}<label for="node-input-name">/);
    assert.match(html, /fa-tag.*data-i18n="label\.name"/);
    assert.match(html, /data-i18n="\[placeholder\]call-x\.placeholder\.name"/);
    assert.match(html, /class="telephony-hint" data-i18n="hint\.name"/);
  });

  it("gets a menu for a property with choices", () => {
    const menu = (...choices: string[]) => ({ kind: "option", choices, default: "a" }) as const;
    const kind: NodeProperty = { property: "kind", start: "a", setting: menu("a") };
    assert.match(build("{{row kind fa-tag}}", [kind]), /<option value="a" data-i18n="call-x\.choice\.kind\.a">/);
    refused("{{row kind fa-tag}}", /choice\.kind\.b/, [{ ...kind, setting: menu("a", "b") }]);
  });

  it("is refused with the key, the property or the mark that is wrong", () => {
    refused('<p data-i18n="label.nme"></p>', /label\.nme/);
    refused("{{row nme fa-tag}}", /\{\{row nme fa-tag\}\}/);
    refused("{{rows}}", /\{\{rows\}\} is none of/);
    refused("", /no row for name/, [{ property: "name", start: "" }]);
    refused('{{defaults "nme": 1}}', /unknown property "nme"/);
  });
});
