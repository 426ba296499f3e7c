import { type Hour, hour, serving } from "../../support/business-hours";
import { flowOf, seen, withTenant } from "../../support/stage";

export const ZONE = "Asia/Ho_Chi_Minh";

/** 2026-11-23 is a Monday. */
export const WEEK = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:00" }));

/** A trigger with its own schedule. */
export const ownTrigger = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "business-hour-trigger",
  source: "value",
  schedule: WEEK,
  scheduleType: "list",
  timezone: ZONE,
  wires: [["out"], ["closed"]],
  ...more,
});

/** A trigger with a schedule of its tenant. */
export const tenantTrigger = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "business-hour-trigger",
  tenant: "t1",
  scheduleName: "Office",
  timezone: ZONE,
  wires: [["out"], ["closed"]],
  ...more,
});

export const office = (open = "08:00:00", close = "17:00:00") =>
  hour(
    1,
    "Office",
    WEEK.map(({ day }) => ({ day, open, close })),
  );

/** Returns what came out, in order at each output: the state, and the wall time that it is about. */
export const sent = () => [...seen.out, ...seen.closed].map(shown).sort();

const shown = ({ payload, businessHour }: (typeof seen.out)[number]) =>
  `${businessHour.checkedAt.slice(0, 16)} ${payload}`;

/** Prepares a suite of triggers: the tenant, new for each test, and what they have to do with it. */
export function triggers() {
  const held = withTenant();
  return {
    held,
    flow: (...nodes: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...nodes),
    serve: (...hours: Hour[]) => held.tenant.answers(serving(() => hours)),
  };
}
