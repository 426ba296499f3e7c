import { deepEqual } from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CORE_TYPES } from "../../../src/workshop/lint/types";

it("The types of Node-RED's own nodes are known to lint", () => {
  const core = join(dirname(require.resolve("@node-red/nodes/package.json")), "core");
  const pages = globSync("**/*.html", { cwd: core }).map((file) => readFileSync(join(core, file), "utf8"));
  const types = pages.flatMap((page) => [...page.matchAll(/registerType\(['"]([^'"]+)/g)].map(([, type]) => type));
  deepEqual(
    types.filter((type) => !CORE_TYPES.includes(String(type))),
    [],
  );
});
