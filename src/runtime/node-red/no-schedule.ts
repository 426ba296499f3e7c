import type { Timings } from "../../client";
import { TenantError } from "../../client/errors";
import type { StatusKey } from "../../fields";

/** The failure to read a schedule, as ERR_SCHEDULE for the messages that need it. */
export class NoSchedule extends TenantError {
  constructor(
    /** The reason why there is no schedule; ERR_SCHEDULE if the tenant answered that it has none, or several. */
    readonly why: TenantError,
    readonly timings: Timings,
  ) {
    const { phase, sent, details, params } = why;
    const key = why.key.startsWith("schedule") ? why.key : "ERR_SCHEDULE";
    super("ERR_SCHEDULE", phase, { ...details, sent, key, params });
  }
}

export function statusKeyOf(problem: TenantError): StatusKey {
  const { code, key } = problem instanceof NoSchedule ? problem.why : problem;
  if (key === "schedule.alike") return "schedule.none";
  if (key === "schedule.none" || key === "schedule.noId" || key === "schedule.several") return key;
  if (key === "config.nodeTooOld" || key === "config.undiciUnfit" || key === "config.undiciMissing") return key;
  if (key === "optOutsFail") return "noStorage";
  if (code === "ERR_ENGINE") return "noBacklog";
  return key.startsWith("config.") ? "ERR_CONFIG" : code;
}
