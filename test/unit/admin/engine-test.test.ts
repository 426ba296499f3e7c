import { deepStrictEqual, match } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { readSettings } from "../../../src/client";
import type { UsableTenant } from "../../../src/runtime/tenants/chosen-tenant";
import { testEngine } from "../../../src/workshop/admin/engine-test";
import { Reader } from "../../../src/workshop/admin/preview/answer";

const RED = { settings: { userDir: "/home/somebody/.node-red" } } as unknown as NodeAPI;
const settings = readSettings({ url: "https://acme.example.com" }, "secret");

/** A deployed tenant whose backlog is in this state. */
function tenantWith(isDurable: boolean, failure?: string, mode = "live"): UsableTenant {
  const client = { lanes: { failure, isDurable } };
  return { id: "tenant-1", mode, settings, client } as unknown as UsableTenant;
}

describe("the test of the place of waiting calls", () => {
  const shown = (tenant: UsableTenant) => testEngine(new Reader(RED, { language: "en-US" }), tenant);

  it("names the journal, but no folder of the server", async () =>
    match(
      (await shown(tenantWith(true)))?.text ?? "",
      /^Waiting calls are kept in the file tenant-1-[0-9a-f]{12}\.journal in Node-RED's user folder\.$/,
    ));

  it("says why no call is accepted now", async () => {
    const text = "Waiting calls cannot be kept now (ENOSPC: no space left), so new calls fail.";
    deepStrictEqual(await shown(tenantWith(true, "ENOSPC: no space left")), { text, kind: "problem" });
  });

  it("is not made where calls are simulated", async () => {
    deepStrictEqual(await shown(tenantWith(false)), { text: "Waiting calls are kept in memory.", kind: "fine" });
    for (const mode of ["sandbox", "log"]) deepStrictEqual(await shown(tenantWith(false, undefined, mode)), undefined);
  });
});
