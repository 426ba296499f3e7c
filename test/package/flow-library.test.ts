import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly keywords: readonly string[];
  readonly repository?: { readonly url: string };
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly "node-red": { readonly version: string };
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Manifest;
const manifest = read(join(root, "package.json"));

/** The rules that the flow library's checker (node-red-dev) applies to a package. It scores examples as well. */
describe("the flow library's rules", () => {
  it("P01, P03: names a license and a repository", () => {
    assert.ok(manifest.license);
    assert.match(manifest.repository?.url ?? "", /^git\+https:/);
  });

  it("P04: has a scoped name", () => assert.match(manifest.name, /^@[^/]+\//));

  it("P05: has the keyword node-red", () => assert.ok(manifest.keywords.includes("node-red")));

  it("P06, P07: states the oldest Node-RED and Node, as `npm run test:matrix` runs them", () => {
    assert.equal(manifest["node-red"].version, ">=4.1.0");
    assert.match(manifest.engines.node, /^>=20\./);
  });

  it("D01: has at most six dependencies", () => assert.ok(Object.keys(manifest.dependencies).length <= 6));
});
