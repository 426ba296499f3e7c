import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { runningTenants } from "../../../src/runtime/tenants/tenants";
import { schedules, testConnection } from "../../../src/workshop/admin/tenant-routes";
import { load, redeploy, until, withTenant } from "../../support/stage";

const PLACE = { x: 100, y: 100, wires: [] };
const SANDBOX = { type: "telephony-tenant", mode: "sandbox" };
const flow = (...instances: string[]) =>
  structuredClone([
    { id: "f1", type: "tab", label: "Ward" },
    { id: "s1", type: "subflow", name: "Nurse call", in: [], out: [] },
    { id: "t1", z: "s1", name: "Nurses", timezone: "Asia/Tokyo", ...SANDBOX },
    { id: "own", z: "f1", ...SANDBOX, name: "Own" },
    { id: "broken", ...SANDBOX, mode: "live", name: "Broken" },
    { ...PLACE, id: "stop", z: "s1", type: "call-stop", tenant: "t1" },
    ...instances.map((id) => ({ ...PLACE, id, z: "f1", type: "subflow:s1" })),
  ]);

describe("tenants in subflows", () => {
  withTenant();
  it("are listed once for each instance, with its path, and found by their template", async () => {
    await load(flow("i1", "i2"));
    const nurses = { template: "t1", name: "Nurses", mode: "sandbox", timezone: "Asia/Tokyo" };
    deepStrictEqual(
      [...runningTenants()].sort((a, b) => a.id.localeCompare(b.id)),
      [
        { id: "broken", template: "broken", path: "", name: "Broken", mode: "live", timezone: "" },
        { id: "i1-t1", path: "f1/i1", ...nurses },
        { id: "i2-t1", path: "f1/i2", ...nurses },
        { id: "own", template: "own", path: "f1", name: "Own", mode: "sandbox", timezone: "" },
      ],
    );
    const names = async (id: string) => (await schedules(id)).schedules.map(({ name }) => name);
    deepStrictEqual(await names("t1"), await names("i2-t1"));
    deepStrictEqual(
      (await testConnection({} as never, { id: "t1" })).lines.map(({ kind }) => kind),
      ["fine"],
    );
    for (const id of ["i1-t1", "i2-t1"]) strictEqual(typeof (await sandboxOf(id))?.port, "number");
    await redeploy(flow("i2"));
    await until(() => runningTenants().length === 3, "the removed instance has ended");
    deepStrictEqual(
      runningTenants()
        .map(({ id }) => id)
        .sort(),
      ["broken", "i2-t1", "own"],
    );
  });
});
