import type { StatusKey } from "../../fields";
import { TenantError, type Timings } from "../../tenant";

/** A reading of a schedule that found none, as what it is to the messages that wanted one. */
export class NoSchedule extends TenantError {
  /** What the reading ended with. */
  readonly why: TenantError;
  /** What the reading took. */
  readonly tally: Timings;

  constructor(why: TenantError, tally: Timings) {
    const { phase, sent, details, key, params } = why;
    const own = key.startsWith("schedule") ? key : "ERR_SCHEDULE";
    super("ERR_SCHEDULE", phase, sent, "not-applied", true, details, own, params);
    this.why = why;
    this.tally = tally;
  }
}

/** The few words that a status has for a problem, as a key of the shared catalogue. */
export function wordsFor(problem: TenantError): `status.${StatusKey}` {
  const { code, key } = problem instanceof NoSchedule ? problem.why : problem;
  if (key === "schedule.none" || key === "schedule.noId" || key === "schedule.several") return `status.${key}`;
  return `status.${key.startsWith("config.") ? "ERR_CONFIG" : code}`;
}
