import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { root } from "../support/root";

/** The files that requiring a file of the package loads. */
function loadedBy(file: string): string[] {
  const script = `require("./dist/${file}"); console.log(Object.keys(require.cache).join("\\n"))`;
  const paths = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  return paths.trim().replaceAll("\\", "/").split("\n");
}

describe("loading the package", () => {
  it("loads declarations alone, until the first node of a kind is created", () => {
    const files = loadedBy("nodes/index.js").join("\n");
    assert.match(files, /dist\/nodes\/call-out\.js$/m);
    assert.doesNotMatch(
      files,
      /node_modules|src\/(hours\/(?!value-error)|sandbox)|src\/(fields|tenant)\/index|tenant\/(client|errors)|-node\.js$/m,
    );
  });
});
