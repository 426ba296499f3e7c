import { strictEqual } from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { NodeAPI } from "node-red";
import { testsFile } from "../../../src/workshop/admin/rehearsal/flow-tests-file";
import { temporaryFolder } from "../../support/process/user-folder";

describe("the file of the tests of a Node-RED's flows", () => {
  const userDir = temporaryFolder();
  const projects = (enabled: boolean, path?: string) => ({
    editorTheme: { projects: { enabled, path } },
    get: () => ({ activeProject: "shop" }),
  });
  const fileOf = (settings: object) => testsFile({ settings: { userDir, ...settings } } as unknown as NodeAPI);

  it("is beside the flow file, which Node-RED looks for in the working folder first", () => {
    const here = relative(process.cwd(), join(userDir, "elsewhere.json"));
    strictEqual(fileOf({ flowFile: "shop.json" }).path, join(userDir, "shop.tests.json"));
    strictEqual(fileOf({ flowFile: here }).path, join(userDir, here.replace(".json", ".tests.json")));
    writeFileSync(here, "[]");
    strictEqual(fileOf({ flowFile: here }).path, join(userDir, "elsewhere.tests.json"));
    strictEqual(fileOf({ flowFile: "./shop.json" }).path, join(process.cwd(), "shop.tests.json"));
    strictEqual(fileOf({ flowFile: join(userDir, "a.json") }).path, join(userDir, "a.tests.json"));
  });

  it("is in the folder of the project, where Node-RED keeps projects, and only while it has them", () => {
    const path = join(userDir, "of others");
    mkdirSync(join(path, "shop"), { recursive: true });
    const manifest = { "node-red": { settings: { flowFile: "calls.json" } } };
    writeFileSync(join(path, "shop", "package.json"), JSON.stringify(manifest));
    strictEqual(fileOf(projects(true)).path, join(userDir, "projects", "shop", "flows.tests.json"));
    strictEqual(fileOf(projects(true, path)).path, join(path, "shop", "calls.tests.json"));
    const { path: own, mode } = fileOf(projects(false, path));
    strictEqual(own, join(userDir, "flows.tests.json"));
    strictEqual(mode, 0o600);
  });
});
