import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

/** The rules that the flow library's checker (node-red-dev) applies to a package. It scores examples as well. */
it("the manifest keeps the flow library's rules, and states what `npm run test:matrix` runs", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.ok(manifest.license && manifest.keywords.includes("node-red"));
  assert.match(manifest.repository.url, /^git\+https:/);
  assert.match(manifest.name, /^@[^/]+\//);
  assert.equal(manifest["node-red"].version, ">=4.1.0");
  assert.match(manifest.engines.node, /^>=20\./);
  assert.ok(Object.keys(manifest.dependencies).length <= 6);
});
