import { type Hour, serving } from "../../support/business-hours";
import { flowOf, pass, withTenant } from "../../support/stage";

export const ZONE = "Asia/Ho_Chi_Minh";
/** 2026-11-23 is a Monday. */
export const WEEK = [
  { day: "mon", open: "08:00", close: "12:00" },
  { day: "mon", open: "13:00", close: "17:30" },
  { day: "tue", open: "08:00", close: "12:00" },
];
export const MORNING = "2026-11-23T08:30";
export const NOON = "2026-11-23T12:15";

/** A gate with its own schedule. */
export const ownGate = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "business-hour-gate",
  source: "value",
  schedule: WEEK,
  scheduleType: "list",
  timezone: ZONE,
  at: "at",
  atType: "msg",
  wires: [["out"], ["closed"]],
  ...more,
});

/** A gate with a schedule of its tenant. */
export const tenantGate = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "business-hour-gate",
  tenant: "t1",
  timezone: "UTC",
  at: "at",
  atType: "msg",
  wires: [["out"], ["closed"]],
  ...more,
});

/** Completes the verdict of a gate or a trigger with the fields that a test does not name. */
export const verdict = (open: boolean, reason: string, more: Record<string, unknown>) => ({
  ...{ open, reason, name: null, id: null, closesAt: null, opensAt: null, opensIn: null },
  ...{ stale: false, incomplete: false, exception: null },
  ...more,
});

/** Returns what a gate says of a message. */
export const judged = async (message: object = {}, id?: string) => (await pass(message, id))["businessHour"];

/** Prepares a suite of gates that ask a tenant: the tenant, new for each test, and what they have to do with it. */
export function gatesOfTenant() {
  const held = withTenant();
  return {
    held,
    flow: (...gates: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...gates),
    serve: (...hours: Hour[]) => held.tenant.answers(serving(() => hours)),
    lines: () => held.tenant.received.map(({ method, url }) => `${method} ${url}`),
  };
}
