import { type Hour, serving } from "../../support/business-hours";
import type { Received, Reply } from "../../support/live-tenant";
import { pass } from "../../support/stage";
import { callsOfTenant, control } from "../schedules/requests";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri"];
export const EIGHT_TO_FIVE = WEEKDAYS.map((day) => ({ day, open: "08:00:00", close: "17:00:00" }));

/** Instants in UTC. 2026-11-23 is a Monday. */
export const SUNDAY = "2026-11-22T10:00:00Z";
export const MONDAY_MORNING = "2026-11-23T08:00:00Z";
export const MONDAY_NOON = "2026-11-23T12:00:00Z";

/** Prepares a suite of call-outs that wait for calling hours: the tenant, new for each test, and what is asked of it. */
export function callsInHours() {
  const { held, flow, dialled } = callsOfTenant();
  const isRead = ({ method }: Received) => method === "GET";
  return {
    held,
    dialled,
    /** @param hours what the tenant has, asked for at each reading */
    serve: (hours: () => readonly Hour[], onCall: (request: Received) => Reply | Promise<Reply> = () => ({})) => {
      const read = serving(hours);
      held.tenant.answers((request) => (isRead(request) ? read(request) : onCall(request)));
    },
    flow: (tenant: Record<string, unknown>, ...nodes: Record<string, unknown>[]) =>
      flow({ timezone: "UTC", callingHours: "Office", ...tenant }, ...nodes, control()),
    reads: () => held.tenant.received.filter(isRead).length,
    count: async () => (await pass({ payload: "count" }, "k1")).payload,
  };
}
