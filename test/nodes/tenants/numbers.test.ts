import { deepStrictEqual, doesNotMatch, ok } from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { usableTenants } from "../../../src/runtime/tenants/tenants";
import { refusal } from "../../support/business-hours";
import { flowOf, give, load, pass, until, withTenant } from "../../support/stage";
import { callOut } from "../schedules/requests";

const CHANNEL = "cloud-telephony:request:end";

describe("the numbers of a tenant", () => {
  const held = withTenant();
  const published: Record<string, unknown>[] = [];
  const listen = (event: unknown) => published.push(event as Record<string, unknown>);
  beforeEach(() => published.splice(0));
  const flow = () => flowOf({ url: held.tenant.url }, callOut());
  const outcomes = () =>
    usableTenants()
      .find(({ id }) => id === "t1")
      ?.statistics.actions.get("call-out")?.outcomes;

  it("count each request once by its outcome, and go on after a redeploy", async () => {
    await load(flow());
    const before = { applied: 0, rejected: 0, "not-applied": 0, unknown: 0, ...outcomes() };
    await pass({ payload: "0000000000" });
    held.tenant.answers(() => ({ status: 404, body: refusal("no such hotline") }));
    give({ payload: "0000000000" });
    await until(() => (outcomes()?.rejected ?? 0) > before.rejected, "the refusal is counted");
    deepStrictEqual(outcomes(), { ...before, applied: before.applied + 1, rejected: before.rejected + 1 });
  });

  it("are published to those who listen, without numbers and texts", async () => {
    subscribe(CHANNEL, listen);
    try {
      await load(flow());
      await pass({ _msgid: "m1", payload: "0912345678" });
      held.tenant.answers(() => ({ status: 404, body: refusal("no such hotline") }));
      give({ _msgid: "m2", payload: "0912345678" });
      await until(() => published.length === 2, "both are published");
    } finally {
      unsubscribe(CHANNEL, listen);
    }
    const [first, second] = published;
    const about = { tenant: "t1", mode: "live", node: "n1", action: "call-out", attempts: 1 };
    const facts = ({ waitedMs, elapsedMs, endedAt, ...rest }: Record<string, unknown> = {}) => {
      for (const time of [waitedMs, elapsedMs, endedAt]) ok(typeof time === "number" && time >= 0);
      return rest;
    };
    deepStrictEqual(facts(first), { ...about, message: "m1", outcome: "applied", httpStatus: 200 });
    deepStrictEqual(facts(second), {
      ...about,
      message: "m2",
      outcome: "rejected",
      code: "ERR_REJECTED",
      httpStatus: 404,
    });
    doesNotMatch(JSON.stringify(published), /912345678|000000|example\.com/);
  });
});
