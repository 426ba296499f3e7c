import { Ring } from "../inspect/ring";
import { limits } from "./choices";
import { timestamp } from "./timestamp";

/** Which of the interface's call actions it was: the last part of its path. */
export type CallAction = "stop-a-call" | "transfer" | "transfer/advance" | "add-user" | "call-out";

export interface Party {
  readonly type?: string;
  readonly number?: string;
  readonly alias?: string;
}

export interface Participant extends Party {
  /** The action that brought the party in. */
  readonly by: CallAction;
  /** Added with `spyCall`: hears the call, cannot talk. */
  readonly listensOnly?: true;
}

/** One action on the call, with the fields of its request. */
export interface CallEvent {
  readonly at: string;
  readonly action: CallAction;
  readonly [field: string]: unknown;
}

/** What the sandbox knows of a call. The record is the sandbox's own: the service shows none beyond the id. */
export interface SandboxCall {
  readonly callId: string;
  readonly state: "ongoing" | "ended";
  /** `outbound` was placed here by call-out; `unknown` was first seen when somebody acted upon it. */
  readonly direction: "outbound" | "unknown";
  readonly from: Party | null;
  readonly to: Party | null;
  readonly answer_url?: string;
  readonly actions?: readonly Readonly<Record<string, unknown>>[];
  /** Everybody who was brought in, in that order. Nobody is taken off: the interface does not say who leaves when. */
  readonly participants: readonly Participant[];
  /** The newest 100. */
  readonly events: readonly CallEvent[];
}

/** What an action changes besides adding its event. */
export interface Change {
  readonly joins?: Participant;
  readonly ends?: boolean;
}

/** The newest 10,000 calls, oldest first seen first forgotten. */
export class CallBook {
  readonly #byId = new Map<string, SandboxCall>();
  readonly #ids = new Ring<string>(limits.calls);
  #placed = 0;

  place(call: Pick<SandboxCall, "from" | "to" | "answer_url" | "actions">, joins: Participant): void {
    const { from, to, ...says } = call;
    this.#add({
      callId: this.#freeId(),
      state: "ongoing",
      direction: "outbound",
      ...call,
      participants: [joins],
      events: [{ at: timestamp(), action: "call-out", from, to, ...says }],
    });
  }

  /** Notes an action on a call. An id that was never seen is taken as an ongoing call. */
  act(callId: string, action: CallAction, fields: Readonly<Record<string, unknown>>, change: Change): void {
    const call = this.#byId.get(callId) ?? this.#add(unknownCall(callId));
    this.#byId.set(callId, {
      ...call,
      state: change.ends ? "ended" : call.state,
      participants: newest([...call.participants, ...(change.joins ? [change.joins] : [])]),
      events: newest([...call.events, { at: timestamp(), action, ...fields }]),
    });
  }

  newest(count?: number): SandboxCall[] {
    return this.#ids.newest(count).flatMap((id) => this.#byId.get(id) ?? []);
  }

  #add(call: SandboxCall): SandboxCall {
    this.#byId.set(call.callId, call);
    const forgotten = this.#ids.push(call.callId);
    if (forgotten !== undefined) this.#byId.delete(forgotten);
    return call;
  }

  /** A flow may have acted upon an invented `sandbox-7` before the seventh call-out. */
  #freeId(): string {
    do this.#placed += 1;
    while (this.#byId.has(`sandbox-${this.#placed}`));
    return `sandbox-${this.#placed}`;
  }
}

function unknownCall(callId: string): SandboxCall {
  return { callId, state: "ongoing", direction: "unknown", from: null, to: null, participants: [], events: [] };
}

function newest<T>(list: readonly T[]): readonly T[] {
  return list.slice(-limits.eventsPerCall);
}
