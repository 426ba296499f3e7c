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
  it("is refused with the key, the property or the mark that is wrong", () => {
    refused('<p data-i18n="label.nme"></p>', /label\.nme/);
    refused("{{row nme fa-tag}}", /\{\{row nme fa-tag\}\}/);
    refused("{{rows}}", /\{\{rows\}\} is none of/);
    refused("", /no row for name/, [{ property: "name", start: "" }]);
    refused('{{defaults "nme": 1}}', /unknown property "nme"/);
  });
});
