import type { LoggedRequest } from "../inspect/request-log";
import type { CallView, SandboxView } from "../inspect/view";

const MOST_CALLS = 1000;
const MOST_REQUESTS = 500;
/** Orders calls of the same instant: `sandbox-10` is newer than `sandbox-9`. */
const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** The state that the page shows, put together from the changes that it has received. */
export class Shown {
  readonly #byId = new Map<string, CallView>();
  /** The last one received. */
  view: SandboxView | undefined;
  /** The newest first. */
  calls: readonly CallView[] = [];
  /** The newest first. */
  requests: readonly LoggedRequest[] = [];

  /** @param isNew whether `view` is everything, not only what has changed */
  update(view: SandboxView, isNew: boolean): void {
    if (isNew) {
      this.#byId.clear();
      this.requests = [];
    }
    this.view = view;
    for (const call of view.calls) this.#byId.set(call.callId, call);
    const calls = [...this.#byId.values()].sort(newestFirst);
    for (const { callId } of calls.splice(MOST_CALLS)) this.#byId.delete(callId);
    this.calls = calls;
    this.requests = [...[...view.requests].reverse(), ...this.requests].slice(0, MOST_REQUESTS);
  }

  /** The requests that acted on a call, the oldest first. */
  requestsOf(callId: string): readonly LoggedRequest[] {
    return this.requests.filter((request) => callOf(request) === callId).reverse();
  }
}

function newestFirst(a: CallView, b: CallView): number {
  const [startOfA, startOfB] = [startOf(a), startOf(b)];
  if (startOfA === startOfB) return BY_NUMBER.compare(b.callId, a.callId);
  return startOfA < startOfB ? 1 : -1;
}

export function startOf({ phone, events }: CallView): string {
  return phone?.moments[0]?.at ?? events[0]?.at ?? "";
}

function callOf({ callId, body }: LoggedRequest): string | undefined {
  if (callId !== undefined) return callId;
  const named = typeof body === "object" && body !== null && "callId" in body ? body.callId : undefined;
  return named === undefined ? undefined : String(named);
}
