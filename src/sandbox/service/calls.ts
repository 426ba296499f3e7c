import { limits } from "./assumptions";
import type { Changes } from "./changes";
import { timestamp } from "./envelope";

export interface Party {
  readonly type?: string;
  readonly number?: string;
  readonly alias?: string;
}

interface Participant extends Party {
  /** The action that added the party. */
  readonly by: string;
  /** Added with `spyCall`: can listen but not talk. */
  readonly listensOnly?: true;
}

/** The fields of a call action's request, parties as objects. */
export interface ActionFields {
  readonly from?: Party;
  readonly to?: Party;
  readonly spyCall?: boolean;
  readonly answer_url?: string;
  readonly actions?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** One action on a call. */
export interface CallEvent extends ActionFields {
  readonly at: string;
  /** The path of the operation below `/api/v1/call/`; `incoming-call` for the arrival of an inbound call. */
  readonly action: string;
}

/** The sandbox's record of a call. The interface shows nothing of a call beyond its id, so its shape is an assumption. */
export interface SandboxCall extends Pick<ActionFields, "answer_url" | "actions"> {
  readonly callId: string;
  readonly state: "ongoing" | "ended";
  /** `outbound` for a call placed by call-out, `inbound` for one made at the page, `unknown` for one first seen in an action. */
  readonly direction: "outbound" | "inbound" | "unknown";
  readonly from: Party | null;
  readonly to: Party | null;
  /** All parties that were added, in order. None is removed: the interface does not document when a party leaves. */
  readonly participants: readonly Participant[];
  /** The newest 100. */
  readonly events: readonly CallEvent[];
}

/**
 * The newest 10,000 calls, within a number of characters; the call first seen is the first forgotten. Calls are stored as
 * JSON texts: their size is known, and parsed they may take twenty times the memory.
 */
export class CallStore {
  readonly #byId = new Map<string, string>();
  /** The last change of each call, the newest last. */
  readonly #changed = new Map<string, number>();
  #characters = 0;
  #placed = 0;
  /** The id of the call that was placed last. */
  lastPlaced: string | undefined;
  /** Called with each call that is placed, and with the id of each that is forgotten, or on which the service acts. */
  onPlaced: (call: SandboxCall) => void = () => {};
  onForgotten: (callId: string) => void = () => {};
  onActed: (callId: string, ends: boolean) => void = () => {};

  constructor(private readonly changes: Changes) {}

  /** Creates an outbound call. */
  place(action: string, given: ActionFields): void {
    const fields = withinLimit(given);
    const { from = null, to = null, ...rest } = fields;
    const call = { callId: this.#freeId(), state: "ongoing", direction: "outbound", from, to, ...rest } as const;
    const placed = withEvent({ ...call, participants: [], events: [] }, action, fields);
    this.#save(placed);
    this.lastPlaced = call.callId;
    this.onPlaced(placed);
  }

  /** Creates an inbound call. Returns its id. */
  receive(from: Party, to: Party): string {
    const callId = this.#freeId();
    const events = [{ at: timestamp(), action: "incoming-call", from, to }];
    const call = { callId, state: "ongoing", direction: "inbound", from, to, participants: [], events } as const;
    this.#save(call);
    return callId;
  }

  find(callId: string): SandboxCall | undefined {
    const known = this.#byId.get(callId);
    return known === undefined ? undefined : JSON.parse(known);
  }

  /** Ends a call without an action of the service. */
  end(callId: string): void {
    const call = this.find(callId);
    if (call) this.#save({ ...call, state: "ended" });
  }

  /** Counts a change of something that is shown with the call. */
  touch(callId: string): void {
    const change = this.changes.next();
    if (!this.#byId.has(callId)) return;
    this.#changed.delete(callId);
    this.#changed.set(callId, change);
  }

  /** The calls that have changed after that change, the newest change last, at most `most`. */
  changedSince(change: number, most: number): SandboxCall[] {
    const changed: SandboxCall[] = [];
    for (const [callId, at] of [...this.#changed].reverse()) {
      if (at <= change || changed.length === most) break;
      changed.push(JSON.parse(this.#byId.get(callId) ?? "null"));
    }
    return changed.reverse();
  }

  get size(): number {
    return this.#byId.size;
  }

  clear(): void {
    this.#byId.clear();
    this.#changed.clear();
    this.#characters = 0;
  }

  /** Records an action on a call. An unknown id is taken as an ongoing call. */
  act(callId: string, action: string, fields: ActionFields, ends: boolean): void {
    const call = withEvent(this.find(callId) ?? unknownCall(callId), action, withinLimit(fields));
    this.#save(ends ? { ...call, state: "ended" } : call);
    this.onActed(callId, ends);
  }

  /** The newest `count` calls, the oldest of them first. */
  newest(count?: number): SandboxCall[] {
    return JSON.parse(this.newestAsJson(count));
  }

  /** The same as a JSON text. */
  newestAsJson(count: number = limits.calls): string {
    const calls = [...this.#byId.values()];
    return `[${calls.slice(Math.max(0, calls.length - count)).join(",")}]`;
  }

  #save(call: SandboxCall): void {
    const text = textOf(call);
    this.#characters += text.length - (this.#byId.get(call.callId)?.length ?? 0);
    this.#byId.set(call.callId, text);
    this.touch(call.callId);
    for (const [oldest, { length }] of this.#byId) {
      if (this.#byId.size <= limits.calls && this.#characters <= limits.callsCharacters) return;
      this.#byId.delete(oldest);
      this.#changed.delete(oldest);
      this.#characters -= length;
      this.onForgotten(oldest);
    }
  }

  /** A flow may already have used an invented `sandbox-7` before the seventh call-out. */
  #freeId(): string {
    do this.#placed += 1;
    while (this.#byId.has(`sandbox-${this.#placed}`));
    return `sandbox-${this.#placed}`;
  }
}

function unknownCall(callId: string): SandboxCall {
  return { callId, state: "ongoing", direction: "unknown", from: null, to: null, participants: [], events: [] };
}

function withEvent(call: SandboxCall, action: string, fields: ActionFields): SandboxCall {
  const { to, spyCall } = fields;
  const joining: Participant[] =
    to && call.state === "ongoing" ? [{ ...to, by: action, ...(spyCall && { listensOnly: true }) }] : [];
  return {
    ...call,
    participants: newest([...call.participants, ...joining]),
    events: newest([...call.events, { at: timestamp(), action, ...fields }]),
  };
}

/** The call as JSON. Drops the older half of its events and parties until it is small enough. */
function textOf(call: SandboxCall): string {
  const text = JSON.stringify(call);
  const { participants, events } = call;
  if (text.length <= limits.callCharacters || participants.length + events.length < 2) return text;
  return textOf({ ...call, participants: newerHalf(participants), events: newerHalf(events) });
}

function newerHalf<T>(list: readonly T[]): readonly T[] {
  return list.slice(Math.floor(list.length / 2));
}

function withinLimit(fields: ActionFields): ActionFields {
  const { length } = JSON.stringify(fields);
  return length <= limits.eventCharacters ? fields : { note: `(${length} characters, too large to keep)` };
}

function newest<T>(list: readonly T[]): readonly T[] {
  return list.slice(-limits.eventsPerCall);
}
