import { limits } from "./assumptions";
import type { Changes } from "./changes";
import { timestamp } from "./envelope";

export interface Party {
  readonly type?: string;
  readonly number?: string;
  readonly alias?: string;
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
  lastPlaced: string | undefined;
  /** Reports each call that is placed, and the id of each that is forgotten, or on which the service acts. */
  onPlaced: (call: SandboxCall) => void = () => {};
  onForgotten: (callId: string) => void = () => {};
  onActed: (callId: string, ends: boolean) => void = () => {};

  constructor(private readonly changes: Changes) {}

  place(action: string, fields: ActionFields): void {
    const call = this.#begin("outbound", action, fields);
    this.lastPlaced = call.callId;
    this.onPlaced(call);
  }

  /** Creates an inbound call. Returns its id. */
  receive(from: Party, to: Party): string {
    return this.#begin("inbound", "incoming-call", { from, to }).callId;
  }

  #begin(direction: SandboxCall["direction"], action: string, fields: ActionFields): SandboxCall {
    const { from = null, to = null, ...rest } = fields;
    const call = { callId: this.#freeId(), state: "ongoing", direction, from, to, ...rest, events: [] } as const;
    return this.#save(withEvent(call, action, fields));
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
    const call = withEvent(this.find(callId) ?? unknownCall(callId), action, fields);
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

  #save(call: SandboxCall): SandboxCall {
    const text = JSON.stringify(call);
    this.#characters += text.length - (this.#byId.get(call.callId)?.length ?? 0);
    this.#byId.set(call.callId, text);
    this.touch(call.callId);
    for (const [oldest, { length }] of this.#byId) {
      if (this.#byId.size <= limits.calls && this.#characters <= limits.callsCharacters) break;
      this.#byId.delete(oldest);
      this.#changed.delete(oldest);
      this.#characters -= length;
      this.onForgotten(oldest);
    }
    return call;
  }

  /** A flow may already have used an invented `sandbox-7` before the seventh call-out. */
  #freeId(): string {
    do this.#placed += 1;
    while (this.#byId.has(`sandbox-${this.#placed}`));
    return `sandbox-${this.#placed}`;
  }
}

function unknownCall(callId: string): SandboxCall {
  return { callId, state: "ongoing", direction: "unknown", from: null, to: null, events: [] };
}

function withEvent(call: SandboxCall, action: string, fields: ActionFields): SandboxCall {
  const event = { at: timestamp(), action, ...fields };
  return { ...call, events: [...call.events, event].slice(-limits.eventsPerCall) };
}
