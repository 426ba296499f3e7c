import { deepStrictEqual } from "node:assert/strict";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { type Failure, flowOf, give, load, type Message, seen, until, withTenant } from "../../support/stage";

/** docs/contract/list.md, "The look" */
describe("The keys that a list of call-list takes", () => {
  const held = withTenant();

  it("leave a quarter of the tenant's keys free, or the list is refused", async () => {
    const once = { once: "payload.number", onceType: "msg" };
    const actions = { actions: [{ action: "talk", text: "Hello", textType: "str" }], actionsType: "list" };
    const node = { id: "n1", type: "call-list", tenant: "t1", wires: [["out"], ["closed"]] };
    await load(flowOf({ url: held.tenant.url, fromNumber: "0000000000" }, { ...node, ...actions, ...once }));
    await tenantOf("t1").client?.ask(({ keys }) => {
      for (let n = 0; n < 149_998; n += 1) void keys.keep({ hash: `filler ${n}`, forMs: 3_600_000 });
    });
    give({ payload: ["0901234501", "0901234502"] });
    await until(() => seen.closed.length > 0);
    give({ payload: ["0901234503"] });
    await until(() => seen.caught.length > 0);
    const { error } = seen.caught[0] as Message & { readonly error: Failure };
    deepStrictEqual([error.code, error.cause["field"], seen.out.length], ["ERR_INPUT", "list", 2]);
  });
});
