import { type Backlog, type Call, LONGEST_PAUSE_MS, type ProbeAnswer, pauseOf, type TroubleEvent } from "../../backlog";
import { NO_CONNECTION, type TenantError } from "../errors";
import type { Job, JobResult } from "../job";
import { operations, requestFor } from "../operations";

/** The smallest read of the interface; it is harmless however often it is sent. */
export const PROBE: Job = {
  id: "",
  nodeId: "",
  action: "probe",
  lane: "other",
  repeat: "never",
  request: requestFor(operations.listBusinessHours, { limit: 1 }),
};

/** As often, a call is refused with 401 or 429 before that may be its own failure. */
const MAX_REFUSALS = 3;

/**
 * Returns what a failed call-out says of the service; `undefined`: nothing, because nothing was asked.
 * @param refused its id, if the service has refused it
 */
function eventOf({ code, outcome, details }: TenantError, isFree: boolean, refused?: string): TroubleEvent | undefined {
  const { httpStatus, retryAfterMs } = details;
  const isBusy = httpStatus === 503 && retryAfterMs !== undefined;
  const isUnreachable = NO_CONNECTION.has(code);
  const met = { code, refused, retryAfterMs, isProbed: !isUnreachable && refused === undefined };
  if (isUnreachable || code === "ERR_RATE_LIMITED" || isBusy) return { kind: "stops", ...met };
  if (code === "ERR_AUTH" || outcome === "unknown") return { kind: "counts", ...met };
  return httpStatus === undefined ? undefined : { kind: "fine", isFree };
}

/**
 * Judges what the end of a call-out means for the service, and whether the call waits again, because nothing was done for it.
 * @param waits the tenant's calls wait for the end of trouble
 * @param backlog `isProven`: the tenant has worked once: else its address or token may be wrong; `isLastRow`: nothing is left that
 *   could get through after the call
 */
export function judge(
  call: Pick<Call, "entry" | "isPatient" | "refusal">,
  result: JobResult,
  waits: boolean,
  backlog: Pick<Backlog, "isLastRow"> & { readonly service: Pick<Backlog["service"], "isProven" | "fineAt" | "now"> },
): { readonly event: TroubleEvent | undefined; readonly waitsAgain: boolean } {
  const { service } = backlog;
  const isHeld = waits || call.isPatient;
  if (result.ok) return { event: { kind: "fine", isFree: !isHeld }, waitsAgain: false };
  const { code, details, outcome } = result.error;
  const { alarm, id, urgent } = call.entry;
  const isUnreachable = NO_CONNECTION.has(code);
  const isRefused = code === "ERR_RATE_LIMITED" || details.httpStatus === 401;
  if (isRefused) {
    const now = service.now();
    const { retryAfterMs } = details;
    const { count: before, firstAt: at } = call.refusal ?? { count: 0, firstAt: now };
    const pauseMs = retryAfterMs === undefined ? 0 : pauseOf(retryAfterMs);
    const retryAt = now + (urgent ? Math.min(pauseMs, LONGEST_PAUSE_MS) : pauseMs);
    call.refusal = { count: before + 1, firstAt: at, retryAt };
  }
  const event = eventOf(result.error, !isHeld, isRefused ? id : undefined);
  const isMistake = !service.isProven && !call.isPatient && (isUnreachable || details.httpStatus === 401);
  const { count = 0, firstAt = Infinity } = call.refusal ?? {};
  const isOwn = count > MAX_REFUSALS && (alarm || service.fineAt > firstAt || backlog.isLastRow(call));
  if (!event || isMistake || (isRefused && isOwn)) return { event: undefined, waitsAgain: false };
  return { event, waitsAgain: (isUnreachable || isRefused) && outcome !== "unknown" && isHeld };
}

/** Reads the answer to a probe. Any but 401, 429 and 5xx means that the service works again. */
export function probeAnswerOf(result: JobResult): ProbeAnswer {
  if (result.ok) return { isAnswered: true };
  const { code, details } = result.error;
  const { httpStatus = 500, retryAfterMs } = details;
  return { isAnswered: httpStatus !== 401 && httpStatus !== 429 && httpStatus < 500, retryAfterMs, code };
}
