import type { LoggedRequest } from "../inspect/request-log";
import type { CallView, SandboxView } from "../inspect/view";

const MOST_CALLS = 1000;
const MOST_REQUESTS = 500;
/** Calls of the same instant: `sandbox-10` is newer than `sandbox-9`. */
const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** Everything that the page shows. */
export class Shown {
  readonly #calls = new Map<string, { readonly call: CallView; readonly change: number }>();
  #requests: readonly LoggedRequest[] = [];
  #behind = new Map<string, LoggedRequest[]>();
  #receivedAt = 0;
  #view: SandboxView | undefined;

  take(view: SandboxView, isNew: boolean): void {
    if (isNew) {
      this.#calls.clear();
      this.#requests = [];
    }
    this.#view = view;
    this.#receivedAt = performance.now();
    for (const call of view.calls) this.#calls.set(call.callId, { call, change: view.revision });
    this.#requests = [...this.#requests, ...view.requests].slice(-MOST_REQUESTS);
    this.#behind = new Map();
    for (const request of this.#requests) {
      const id = callOf(request);
      if (id !== undefined) this.#behind.set(id, [...(this.#behind.get(id) ?? []), request]);
    }
  }

  get isThere(): boolean {
    return this.#view !== undefined;
  }

  get view(): SandboxView {
    if (!this.#view) throw new Error("Nothing was shown yet.");
    return this.#view;
  }

  /** The newest first. */
  get calls(): readonly CallView[] {
    const calls = [...this.#calls.values()].map(({ call }) => ({ call, at: startOf(call) }));
    calls.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : BY_NUMBER.compare(b.call.callId, a.call.callId)));
    for (const { call } of calls.splice(MOST_CALLS)) this.#calls.delete(call.callId);
    return calls.map(({ call }) => call);
  }

  /** The newest first. */
  get requests(): readonly LoggedRequest[] {
    return [...this.#requests].reverse();
  }

  /** The requests that acted on a call, the oldest first. */
  behind(callId: string): readonly LoggedRequest[] {
    return this.#behind.get(callId) ?? [];
  }

  /** Differs whenever there is something new to see of a call. */
  version(callId: string): string {
    return `${this.#calls.get(callId)?.change}-${this.#behind.get(callId)?.length}`;
  }

  /** Epoch milliseconds on the sandbox's clock. */
  get now(): number {
    const { now, speed } = this.view.clock;
    return now + (performance.now() - this.#receivedAt) * speed;
  }
}

export function startOf({ phone, events }: CallView): string {
  return phone?.moments[0]?.at ?? events[0]?.at ?? "";
}

function callOf({ callId, body }: LoggedRequest): string | undefined {
  if (callId !== undefined) return callId;
  const named = typeof body === "object" && body !== null && "callId" in body ? body.callId : undefined;
  return named === undefined ? undefined : String(named);
}
