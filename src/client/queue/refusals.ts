import type { Acceptance, Backlog, Outcome, Settlement } from "../../backlog";
import { type Code, cancelled, dropped, engineFailure, expired, lost, notSent, type TenantError } from "../errors";
import type { Job } from "../job";
import type { Request } from "../request";
import type { ClientOptions } from "./options";

/** The number of requests that wait, all lanes together, and its limit. */
interface Room {
  readonly options: Pick<ClientOptions, "backlog">;
  readonly waiting: number;
}

interface Facts {
  readonly givenUp: TenantError | undefined;
  readonly isInFlight: boolean;
  readonly service: Backlog["service"] | undefined;
}

/** Largest request body, in bytes. Our choice: the interface shows no limit. */
const LARGEST_REQUEST = 256 * 1024;

export function tooLarge(request: Request, bytes: number): TenantError | undefined {
  if (bytes <= LARGEST_REQUEST) return undefined;
  const params = { size: Math.ceil(bytes / 1024), most: LARGEST_REQUEST / 1024 };
  return notSent("ERR_INPUT", "input", { key: "requestTooLarge", field: listIn(request), params });
}

/** The field to shorten when a request is too large: its list, if it has one. */
function listIn(request: Request): string {
  const body = request.method === "POST" ? Object.entries(request.body) : [];
  return (body.find(([, value]) => Array.isArray(value)) ?? body[0])?.[0] ?? "";
}

export function calledTooOften(retryAfterMs: number): TenantError {
  return notSent("ERR_BLOCKED", "queue", {
    retryable: true,
    key: "blocked.perNumber",
    rule: "perNumber",
    field: "to.number",
    retryAfterMs,
    params: { minutes: Math.ceil(retryAfterMs / 60_000) },
  });
}

/**
 * Returns the reason why the backlog does not take a job, if there is one. ERR_DUPLICATE promises that nothing was sent for this job;
 * `first` names the use that holds the key.
 */
export function refusalOf(acceptance: Acceptance, room: Room): TenantError | undefined {
  switch (acceptance.kind) {
    case "accepted":
      return undefined;
    case "decided":
      return dropped();
    case "full":
      return backlogFull(room);
    case "keysFull":
      return notSent("ERR_BACKLOG_FULL", "queue", { key: "onceKeysFull" });
    case "duplicate": {
      const { at, outcome } = acceptance.first;
      return notSent("ERR_DUPLICATE", "queue", { first: acceptance.first, params: { at, outcome: { word: outcome } } });
    }
    case "usedUp":
      return calledTooOften(acceptance.retryAfterMs);
    case "failed":
      return engineFailure(acceptance.reason);
  }
}

/**
 * Returns the reason why a call-out ended without a result; `undefined` if another instance reports it.
 * @param facts `givenUp`: why the target was; `isInFlight`: it was performed until then
 */
export function reasonOf(
  settlement: Exclude<Settlement, { unreported: Outcome }>,
  { notAfter = 0, list }: Job,
  { givenUp, isInFlight, service }: Facts,
): TenantError | undefined {
  if ("inherited" in settlement) {
    // Of a list, the other instance knows nothing: one in flight ends there without it, one that waited is gone, and is added again.
    if (list === undefined) return undefined;
    return isInFlight ? lost() : engineFailure("another instance has taken over");
  }
  const { cut, retryAfterMs = 0 } = settlement;
  switch (cut) {
    case "dropped":
      return dropped();
    case "cancelled":
      return cancelled("cancel");
    case "replaced":
      return cancelled("replaced");
    case "usedUp":
      return calledTooOften(retryAfterMs);
    case "expired":
      return expired(notAfter);
    case "trouble":
      return serviceFails(service);
    case "givenUp":
      return givenUp ?? dropped();
    case "lost":
      return lost();
  }
}

/** The service has failed for as long as a call-out waits. */
export function serviceFails(service: Backlog["service"] | undefined): TenantError {
  const { code = "ERR_SERVER", since } = service?.lastMet ?? {};
  const at = service && since !== undefined ? service.wall(since) : Date.now();
  const params = { code, since: new Date(at).toISOString() };
  return notSent(code as Code, "queue", { retryable: true, key: "serviceFails", params });
}

export function backlogFull({ options: { backlog }, waiting }: Room): TenantError {
  return notSent("ERR_BACKLOG_FULL", "queue", {
    params: { backlog },
    ...(waiting < backlog && { key: "backlogTooLarge" }),
  });
}
