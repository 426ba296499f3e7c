import { deepStrictEqual, match, ok } from "node:assert/strict";
import type { NodeStatus } from "node-red";
import { sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { give, load, redeploy, seen, statusesOfNext, until } from "../../support/stage";
import { callOut, callsOfTenant, holding } from "../schedules/requests";

/** What a node says of a request follows the mode in which it was made, whatever a deploy has made of the tenant since. */
describe("a tenant whose mode changes while a call is in flight", () => {
  const { held, flow } = callsOfTenant();
  const SANDBOX = { mode: "sandbox", url: "" };

  const lastText = (statuses: readonly NodeStatus[]) => statuses.at(-1)?.text;

  for (const mode of ["live", "log"]) {
    it(`from sandbox to ${mode}: says that the call was simulated`, async () => {
      await load(flow(SANDBOX, callOut()));
      const sandbox = await sandboxOf("t1");
      sandbox?.injectFaults({ times: 1, delayMs: 60_000 });
      const statuses = statusesOfNext("n1");
      // The sandbox holds the one that it receives first, so the other one is answered after that.
      for (const payload of ["1", "2"]) give({ payload });
      await until(() => seen.out.length === 1, "one is answered, and the other one is in flight");
      await redeploy(flow({ mode }, callOut()));
      await until(() => seen.caught.length === 1, "the successor reported it");
      const { error } = seen.caught[0] as { error: { message: string; cause: Record<string, unknown> } };
      deepStrictEqual([error.cause["outcome"], error.cause["mode"]], ["unknown", "sandbox"]);
      match(error.message, /errors\.simulated/);
      await until(() => lastText(statuses)?.includes("mayHaveBeen") === true, "the status shows it");
      match(String(lastText(statuses)), /^mode\.sandbox: /);
    });
  }

  it("from live to sandbox: does not call it simulated", async () => {
    const release = holding(held.tenant, () => ({ status: 503 }));
    await load(flow({}, callOut()));
    give({ payload: "1" });
    await until(() => held.tenant.received.length === 1, "it is in flight");
    const statuses = statusesOfNext("n1");
    await redeploy(flow(SANDBOX, callOut()));
    release();
    await until(() => seen.caught.length === 1, "the successor reported it");
    const { error } = seen.caught[0] as { error: { message: string; cause: Record<string, unknown> } };
    deepStrictEqual([error.cause["outcome"], error.cause["mode"]], ["unknown", "live"]);
    ok(!error.message.includes("errors.simulated"));
    await until(() => lastText(statuses)?.includes("mayHaveBeen") === true, "the status shows it");
    match(String(lastText(statuses)), /^mayHaveBeen/);
  });
});
