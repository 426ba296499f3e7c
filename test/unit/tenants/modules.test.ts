import assert from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { forbiddenModule, moduleProperty } from "../../../src/runtime/tenants/modules";

const TENANT = { type: "telephony-tenant" };
const FUNCTION = { type: "function" };

/** Asks the hook of Node-RED whether a module is installed with these nodes. */
function isInstalled(module: string, version: string | undefined, nodes: readonly object[], settings = {}): boolean {
  let run: ((installation: object) => unknown) | undefined;
  const hooks = {
    remove: () => {},
    add: (_hook: string, added: typeof run) => {
      run = added;
    },
  };
  const eachNode = (visit: (node: object) => void) => nodes.forEach(visit);
  const property = moduleProperty({ settings, hooks, nodes: { eachNode } } as unknown as NodeAPI);
  if (!("dynamicModuleList" in property)) return false;
  return run?.({ module, version }) !== false;
}

describe("the modules of a tenant", () => {
  it("are ioredis, in a version", () => {
    for (const modules of [undefined, [], "ioredis", ["ioredis@6.1.0"], [{ module: "ioredis@^6" }]])
      assert.equal(forbiddenModule({ modules }), undefined);
  });

  for (const module of ["left-pad", "ioredis@npm:left-pad", "ioredis@http://x/y.tgz", "ioredis-mock", "ioredis/x"])
    it(`are not ${module}, which is refused and not installed`, () => {
      const modules = [{ module }];
      assert.equal(forbiddenModule({ modules }), module);
      const [name = "", version] = module.split("@");
      assert.equal(isInstalled(name, version, [{ ...TENANT, modules }]), false);
    });

  it("are installed for Redis, and leave to other nodes what these name", () => {
    const modules = [{ module: "ioredis@^6" }];
    assert.equal(isInstalled("ioredis", "^6", [{ ...TENANT, modules }]), true);
    const others = [
      { ...TENANT, modules: ["left-pad"] },
      { ...FUNCTION, libs: [{ module: "left-pad" }] },
    ];
    assert.equal(isInstalled("left-pad", undefined, others), true);
    assert.equal(isInstalled("node-red-contrib-any", "1.0.0", [{ ...TENANT, modules }]), true);
  });

  it("count for nothing where function nodes may have none", () => {
    const nodes = [{ ...TENANT, modules: ["ioredis"] }];
    assert.equal(isInstalled("ioredis", undefined, nodes, { functionExternalModules: false }), false);
  });
});
