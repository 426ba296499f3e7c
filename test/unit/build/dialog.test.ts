import assert from "node:assert/strict";
import { dialog } from "../../../src/build/dialog";
import { BuildError } from "../../../src/build/sources";
import type { NodeProperty } from "../../../src/runtime/node-properties";
import type { Dialog } from "../../../src/runtime/nodes/action/declaration";

const catalogue = {
  label: { name: "Name" },
  hint: { name: "Shown on the canvas" },
  "call-x": { label: { id: "Id", kind: "Kind" }, choice: { kind: { a: "First" } }, placeholder: { name: "Mine" } },
};

const NAME: NodeProperty = { property: "name", start: "" };
const ID: NodeProperty = { property: "id", start: "" };

function build(html: string, properties: readonly NodeProperty[], declared: Dialog = {}): string {
  return dialog(html, { type: "call-x", kind: "control", ...declared }, catalogue, properties);
}

const refused = (message: RegExp, html: string, properties: readonly NodeProperty[], declared?: Dialog) =>
  assert.throws(() => build(html, properties, declared), { constructor: BuildError, message });

const ids = (html: string) => [...html.matchAll(/<input[^>]* id="([^"]+)"/g)].map(([, id]) => id);

describe("The source of a dialog", () => {
  it("is refused with the key, the property or the mark that is wrong", () => {
    refused(/label\.nme/, '<p data-i18n="label.nme"></p>', []);
    refused(/no row "nme"/, "{{rows nme}}", [NAME]);
    refused(/cannot read the mark \{\{row name/, "{{row name fa-tag}}", []);
    refused(/no row for name/, "", [NAME]);
    refused(/unknown property "nme"/, "{{rows}}", [NAME], { rows: ["nme"] });
    refused(/unknown property "nme"/, "{{definition}}", [], { starts: { nme: 1 } });
  });

  it("has the declared rows in their order, and those that the source places there", () => {
    const kind: NodeProperty = {
      property: "kind",
      start: "a",
      setting: { kind: "option", choices: ["a"], default: "a" },
    };
    assert.deepEqual(ids(build("{{rows}}", [ID, NAME])), ["node-input-name", "node-input-id"]);
    const placed = build("{{rows id}}<hr>{{rows}}", [NAME, ID, kind], {
      rows: ["kind", "id"],
      icons: { kind: "fa-list" },
    });
    assert.match(placed, /node-input-id[\s\S]*<hr>[\s\S]*node-input-name[\s\S]*fa-list[\s\S]*choice\.kind\.a/);
  });
});
