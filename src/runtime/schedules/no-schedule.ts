import type { StatusKey } from "../../fields";
import type { Timings } from "../../tenant";
import { TenantError } from "../../tenant/errors";

/** The failure to read a schedule, as ERR_SCHEDULE for the messages that need it. */
export class NoSchedule extends TenantError {
  /** Why there is no schedule. */
  readonly why: TenantError;
  readonly timings: Timings;

  constructor(why: TenantError, timings: Timings) {
    const { phase, sent, details, key, params } = why;
    const own = key.startsWith("schedule") ? key : "ERR_SCHEDULE";
    super("ERR_SCHEDULE", phase, sent, "not-applied", true, details, own, params);
    this.why = why;
    this.timings = timings;
  }
}

/** The status text for a problem, as a key of the shared catalogue. */
export function wordsFor(problem: TenantError): `status.${StatusKey}` {
  const { code, key } = problem instanceof NoSchedule ? problem.why : problem;
  if (key === "schedule.none" || key === "schedule.noId" || key === "schedule.several") return `status.${key}`;
  return `status.${key.startsWith("config.") ? "ERR_CONFIG" : code}`;
}
