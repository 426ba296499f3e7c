import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { root } from "../support/root";

describe("loading the package", () => {
  it("loads declarations alone, until the first node of a kind is created", () => {
    const script = 'require("./dist/nodes/index.js"); console.log(Object.keys(require.cache).join("\\n"))';
    const files = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" }).replaceAll("\\", "/");
    assert.match(files, /dist\/nodes\/call-out\.js$/m);
    assert.doesNotMatch(
      files,
      /node_modules|src\/(hours|sandbox)|src\/(fields|tenant)\/index|tenant\/(client|errors)|-node\.js$/m,
    );
  });
});
