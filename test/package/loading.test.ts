import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { root } from "../support/root";

/** Its own room, the backlog in memory with its dates, and the checks of settings. More files mean that the index of a whole room was loaded. */
const MOST_FILES_OF_THE_CLIENT = 57;

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

  it("loads the client without the readers of fields and schedules", () => {
    const files = loadedBy("src/tenant/index.js");
    assert.doesNotMatch(files.join("\n"), /node_modules|src\/hours\/index|src\/fields\/(index|reader|sources)/);
    assert.ok(files.length <= MOST_FILES_OF_THE_CLIENT, `loads ${files.length} files`);
  });
});
