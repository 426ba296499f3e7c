import { deepStrictEqual, match } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { readSettings } from "../../../src/client";
import type { UsableTenant } from "../../../src/runtime/tenants/chosen-tenant";
import { testEngine } from "../../../src/workshop/admin/engine-test";

const RED = { settings: { userDir: "/home/somebody/.node-red" } } as unknown as NodeAPI;
const settings = readSettings({ url: "https://acme.example.com" }, "secret");

/** A deployed tenant whose backlog is in this state. */
function tenantWith(isDurable: boolean, failure?: string, mode = "live"): UsableTenant {
  const client = { callOuts: { backlog: { isDurable } }, lanes: { failure } };
  return { id: "tenant-1", mode, settings, client } as unknown as UsableTenant;
}

describe("the test of the place of waiting calls", () => {
  it("names the journal, but no folder of the server", async () => {
    const { file = "", ...others } = (await testEngine(RED, tenantWith(true))) ?? {};
    match(file, /^tenant-1-[0-9a-f]{12}\.journal$/);
    deepStrictEqual(others, { kind: "file" });
  });

  it("says why no call is accepted now", async () => {
    const { failure } = (await testEngine(RED, tenantWith(true, "ENOSPC: no space left"))) ?? {};
    deepStrictEqual(failure, "ENOSPC: no space left");
  });

  it("is not made where calls are simulated", async () => {
    deepStrictEqual(await testEngine(RED, tenantWith(false)), { kind: "memory" });
    for (const mode of ["sandbox", "log"])
      deepStrictEqual(await testEngine(RED, tenantWith(false, undefined, mode)), undefined);
  });
});
