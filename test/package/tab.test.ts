import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/** Every editor loads it, also those that never open the tab. */
const MOST_BYTES = 40_000;

describe("the sidebar tab", () => {
  it("is small, and needs no code in the runtime", () => {
    const { "node-red": nodeRed } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly "node-red": { readonly plugins: Readonly<Record<string, string>> };
    };
    assert.deepEqual(nodeRed.plugins, { "telephony-tab": "dist/plugin/tab.html" });
    const bytes = readFileSync(join(root, "dist/plugin/tab.html")).length;
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes, ${MOST_BYTES} are allowed`);
  });
});
