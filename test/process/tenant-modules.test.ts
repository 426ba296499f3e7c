import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/process/eventually";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const PLACE = { z: "tab", x: 100, y: 100 };

/** docs/contract.md#the-tenant: a flow file must not install what the settings forbid. */
describe("a flow file whose tenant names modules", () => {
  const flow = (module: string): FlowNode[] => [
    { id: "tab", type: "tab", label: "Modules" },
    { id: "tenant", type: "telephony-tenant", mode: "sandbox", modules: [{ module, var: "x" }] },
    { ...PLACE, id: "in", type: "http in", method: "get", url: "/up", wires: [["answer"]] },
    { ...PLACE, id: "answer", type: "http response", wires: [] },
  ];
  let nodeRed: NodeRed | undefined;
  afterEach(() => nodeRed?.kill());

  for (const [what, module, settings] of [
    ["another one than ioredis", "is-a-module-that-nobody-has", {}],
    ["ioredis where the settings forbid modules of function nodes", "ioredis", { functionExternalModules: false }],
  ] as const)
    it(`installs none: ${what}`, async () => {
      const folder = await userFolder();
      const before = readFileSync(join(folder, "settings.js"), "utf8");
      const added = JSON.stringify(settings).slice(1, -1);
      writeFileSync(
        join(folder, "settings.js"),
        before.replace("module.exports = {", `module.exports = { ${added}${added && ","}`),
      );
      try {
        nodeRed = await NodeRed.start(folder);
        const { log } = nodeRed;
        await nodeRed.deploy(flow(module));
        const up = await eventually(async () => {
          const { status } = (await nodeRed?.get("/up")) ?? {};
          return status === 200 || undefined;
        });
        assert.ok(up, "the other nodes start");
        assert.doesNotMatch(nodeRed.log.slice(log.length), /npm (ERR|error)|install-failed/i);
        const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        assert.equal(module in dependencies, false);
        assert.equal(nodeRed.log.includes(`names the package ${module}`), module !== "ioredis", nodeRed.log);
      } finally {
        writeFileSync(join(folder, "settings.js"), before);
      }
    });
});
