import { ok, strictEqual } from "node:assert/strict";
import { HandClosing } from "../../../src/runtime/nodes/gate/hand-closing";
import { withTenant } from "../../support/flow";
import { ALWAYS, clear, flowOf, load, redeploy, statusesOf, until } from "../../support/stage";
import { judged, ownGate } from "./gates";

const HOUR_MS = 3_600_000;

describe("a business-hour-gate that a person closes with its button", () => {
  const held = withTenant();
  beforeEach(clear);

  const flow = (more: object) =>
    flowOf(
      { url: held.tenant.url },
      ownGate({ schedule: ALWAYS, scheduleType: "json", at: "", atType: "date", ...more }),
    );
  const closing = () => {
    const found = HandClosing.of("n1");
    ok(found);
    return found;
  };

  for (const [what, override] of [
    ["by its hours", {}],
    ["by an override in the dialog", { override: "open", overrideType: "str" }],
    ["with a schedule of the message", { schedule: "week", scheduleType: "msg" }],
  ] as const)
    it(`is closed although it is open ${what}, until a second press`, async () => {
      await load(flow(override));
      const message = { week: { days: ALWAYS } };
      strictEqual((await judged({ ...message })).open, true);
      closing().set(Date.now() + HOUR_MS);
      const { open, reason, opensAt } = await judged({ ...message });
      strictEqual(JSON.stringify([open, reason, opensAt]), '[false,"override",null]');
      closing().set(undefined);
      strictEqual((await judged({ ...message })).open, true);
    });

  it("obeys a message that brings its own override", async () => {
    await load(flow({ override: "hand", overrideType: "msg" }));
    closing().set(Date.now() + HOUR_MS);
    strictEqual((await judged({ hand: "open" })).open, true);
    strictEqual((await judged({ hand: "closed" })).open, false);
    strictEqual((await judged({ hand: "neither" })).open, false);
    strictEqual((await judged()).reason, "override");
  });

  it("shows the end, is closed after a deploy too, and goes by its hours from then on", async () => {
    await load(flow({}));
    const before = statusesOf("n1");
    closing().set(Date.now() + HOUR_MS);
    await until(() => /^closedUntil.*, override$/.test(String(before.at(-1)?.text)), "the end");
    await redeploy(flow({ name: "Another" }));
    strictEqual((await judged()).open, false);
    const statuses = statusesOf("n1");
    closing().set(Date.now() + 1);
    await until(() => /^open/.test(String(statuses.at(-1)?.text)), "by its hours");
    strictEqual((await judged()).open, true);
  });
});
