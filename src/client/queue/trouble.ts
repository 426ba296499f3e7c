import type { ProbeAnswer, Run, TroubleEvent } from "../../backlog";
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

/** As often, a call is refused with 401 or 429 before that is its own failure. */
const MAX_REFUSALS = 3;
const NO_CONNECTION: ReadonlySet<string> = new Set(["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"]);

/** What the end of a call-out says of the service; `undefined`: nothing, because nothing was asked. */
function eventOf(result: JobResult, isFree: boolean): TroubleEvent | undefined {
  if (result.ok) return { kind: "fine", isFree };
  const { code, outcome, details } = result.error;
  const { httpStatus, retryAfterMs } = details;
  const isBusy = httpStatus === 503 && retryAfterMs !== undefined;
  if (NO_CONNECTION.has(code) || code === "ERR_RATE_LIMITED" || isBusy) return { kind: "stops", code, retryAfterMs };
  if (code === "ERR_AUTH" || outcome === "unknown") return { kind: "counts", code };
  return httpStatus === undefined ? undefined : { kind: "fine", isFree };
}

/**
 * What the end of a call-out means for the service, and whether the call waits again, because nothing was done for it.
 * @param waits the tenant's calls wait for the end of trouble
 * @param isProven the tenant has worked once: else its address or token may be wrong
 */
export function judge(turn: Pick<Run, "isPatient" | "refusals">, result: JobResult, waits: boolean, isProven: boolean) {
  const isHeld = waits || turn.isPatient;
  const event = eventOf(result, !isHeld);
  if (result.ok || !event) return { event, waitsAgain: false };
  const { code, details, outcome } = result.error;
  const isUnreachable = NO_CONNECTION.has(code);
  const isRefused = code === "ERR_RATE_LIMITED" || details.httpStatus === 401;
  const isMistake = !isProven && !turn.isPatient && (isUnreachable || details.httpStatus === 401);
  if (isRefused) turn.refusals += 1;
  if (isMistake || (isRefused && turn.refusals > MAX_REFUSALS)) return { event: undefined, waitsAgain: false };
  const waitsAgain = (isUnreachable || isRefused) && outcome !== "unknown" && isHeld;
  return { event, waitsAgain };
}

/** Any answer but 401, 429 and 5xx says that the service works again. */
export function probeAnswerOf(result: JobResult): ProbeAnswer {
  if (result.ok) return { isAnswered: true };
  const { httpStatus = 500, retryAfterMs } = result.error.details;
  return { isAnswered: httpStatus !== 401 && httpStatus !== 429 && httpStatus < 500, retryAfterMs };
}
