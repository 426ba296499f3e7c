import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { closeSandbox, sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { withTenant } from "../../support/flow";
import { clear, fail, flowOf, load, pass } from "../../support/stage";
import { callOut } from "../schedules/requests";

/** Presses a button of the sandbox's page. */
async function press(name: string, body: object): Promise<void> {
  const answer = await (await sandboxOf("t1"))?.inspect("POST", `/sandbox/${name}`, new URLSearchParams(), body);
  strictEqual(answer?.status, 200);
}

describe("faults that a builder chooses for a sandbox", () => {
  withTenant();
  beforeEach(clear);
  afterEach(() => closeSandbox("t1"));
  const calls = async () => (await sandboxOf("t1"))?.calls().length;
  const flow = () => structuredClone(flowOf({ mode: "sandbox", onTrouble: "fail" }, callOut()));

  it("lost: the call was placed, its node says that it may have been, and nobody is called twice", async () => {
    await load(flow());
    await press("settings", { faults: { lost: 100 } });
    const error = await fail({ payload: "1" });
    deepStrictEqual([error.cause.outcome, error.cause.sent], ["unknown", "maybe"]);
    strictEqual(await calls(), 1);
    const [request] = (await sandboxOf("t1"))?.requests() ?? [];
    deepStrictEqual([request?.isLost, request?.node], [true, "n1"]);
    await press("settings", { faults: { lost: 0 } });
    await pass({ payload: "2" });
    strictEqual(await calls(), 2);
  });

  it("refusedToken: nobody is called", async () => {
    await load(flow());
    await press("settings", { faults: { refusedToken: 100 } });
    const error = await fail({ payload: "1" });
    deepStrictEqual([error.code, error.cause.outcome], ["ERR_AUTH", "rejected"]);
    strictEqual(await calls(), 0);
  });
});
