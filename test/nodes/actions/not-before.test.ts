import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { ErrorKey } from "../../../src/fields";
import { fail, flowOf, load, pass, withTenant } from "../../support/stage";
import { callAlike as callOut } from "../schedules/requests";

describe("notBefore of a call", () => {
  const held = withTenant();
  const flow = (...nodes: Record<string, unknown>[]) =>
    flowOf({ url: held.tenant.url, timezone: "Asia/Ho_Chi_Minh" }, ...nodes);
  const count = () => held.tenant.received.length;
  const dated = { notBefore: "when", notBeforeType: "msg", notAfter: "until", notAfterType: "msg" };
  const hour = 3_600_000;
  const refused = async (message: Record<string, unknown>, field: string, source: string, sentence: ErrorKey) => {
    const { code, message: text, cause } = await fail(message);
    deepStrictEqual([code, cause.field, cause.source, cause.sent], ["ERR_INPUT", field, source, "no"]);
    ok(text.endsWith(`errors.${sentence}`), text);
    strictEqual(count(), 0);
  };

  it("is off by default, and in the past it means now", async () => {
    await load(flow(callOut({ notBefore: "", notBeforeType: "str" }), callOut({ ...dated, id: "n2" })));
    await pass({ payload: { notBefore: Date.now() + hour }, notBefore: Date.now() + hour });
    for (const when of [Date.now() - hour, "2020-01-01T09:00", new Date(0)]) await pass({ when }, "n2");
    strictEqual(count(), 4);
  });

  for (const [what, when, sentence] of [
    ["a text that is no date", "tomorrow", "input.hours.instantFormat"],
    ["missing", undefined, "input.missing"],
  ] as const) {
    it(`that is ${what} is ERR_INPUT`, async () => {
      await load(flow(callOut(dated)));
      await refused({ when }, "notBefore", "msg.when", sentence);
    });
  }

  it("later than notAfter, or equal to it, is ERR_INPUT on notAfter", async () => {
    await load(flow(callOut(dated)));
    const when = Date.now() + hour;
    for (const until of [when, when - 1])
      await refused({ when, until }, "notAfter", "msg.until", "input.endsBeforeStart");
    // 10:00 in Vietnam is 03:00 in UTC.
    const [date] = new Date(Date.now() + 48 * hour).toISOString().split("T");
    const given = { when: `${date}T03:00:00Z`, until: `${date}T10:00` };
    await refused(given, "notAfter", "msg.until", "input.endsBeforeStart");
  });

  it("and notAfter that have both passed: too late", async () => {
    await load(flow(callOut(dated)));
    const { code } = await fail({ when: Date.now() - 2 * hour, until: Date.now() - hour });
    deepStrictEqual([code, count()], ["ERR_EXPIRED", 0]);
  });
});
