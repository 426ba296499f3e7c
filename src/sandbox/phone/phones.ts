import type { CallStore, SandboxCall } from "../service/calls";
import { limits } from "../service/choices";
import { timestamp } from "../service/envelope";
import type { Changes } from "./changes";
import { askOutside, type Fetched } from "./outside";
import type { SandboxSettings } from "./settings";
import { durationOf, type Spoken, spokenIn } from "./speech";

/** How long somebody takes to answer, if everybody answers. Milliseconds. */
const ANSWER_MS = 1000;

/** What happens on a simulated phone. */
export type PhoneState = "ringing" | "talking" | "declined" | "unanswered" | "ended";

/** Who acts: somebody at the page, or the simulation. */
type By = "person" | "simulation";

export interface Moment {
  /** ISO 8601. */
  readonly at: string;
  readonly what: PhoneState | "fetched";
  readonly by?: By;
  readonly fetched?: Fetched;
}

/** The phone of the party that is called. */
export interface Phone {
  readonly state: PhoneState;
  /** What the call says once it is answered. */
  readonly spoken: readonly Spoken[];
  readonly moments: readonly Moment[];
}

interface Line extends Phone {
  timer: NodeJS.Timeout | undefined;
}

/** Lets simulated phones ring, and those who look at them answer. */
export class Phones {
  readonly #calls: CallStore;
  readonly #changes: Changes;
  readonly #settings: () => SandboxSettings;
  /** By call id. */
  readonly #lines = new Map<string, Line>();

  constructor(calls: CallStore, changes: Changes, settings: () => SandboxSettings) {
    this.#calls = calls;
    this.#changes = changes;
    this.#settings = settings;
  }

  of(callId: string): Phone | undefined {
    const line = this.#lines.get(callId);
    return line && { state: line.state, spoken: line.spoken, moments: line.moments };
  }

  /** A call was placed: its phone rings. */
  ring({ callId, actions }: SandboxCall): void {
    const spoken = spokenIn(actions);
    this.#lines.set(callId, { state: "ringing", spoken, moments: [], timer: undefined });
    const oldest = this.#lines.keys().next().value;
    if (this.#lines.size > limits.calls && oldest !== undefined) this.#forget(oldest);
    this.#turn(callId, "ringing");
    this.#await(callId);
  }

  /** Somebody else answers now: phones that ring are answered, or ring out, accordingly. */
  answersChanged(): void {
    for (const [callId, { state }] of this.#lines) if (state === "ringing") this.#await(callId);
  }

  /** A call that was transferred or joined goes on until somebody ends it. */
  keep(callId: string): void {
    const line = this.#lines.get(callId);
    if (line?.state === "talking") clearTimeout(line.timer);
  }

  /** The service ends the call, or a person does: `stop-a-call`, or hanging up. */
  over(callId: string): void {
    const line = this.#lines.get(callId);
    if (line?.state === "ringing" || line?.state === "talking") this.#turn(callId, "ended");
  }

  /** Answers a phone that rings. Returns whether it did. */
  async answer(callId: string, by: By = "person"): Promise<boolean> {
    const line = this.#lines.get(callId);
    if (line?.state !== "ringing") return false;
    this.#turn(callId, "talking", by);
    const { answer_url: address, events = [] } = this.#calls.find(callId) ?? {};
    if (address !== undefined) await this.#fetch(callId, address);
    // Whoever answers for everybody listens to the end, unless the flow does something with the call.
    if (by === "simulation" && events.length === 1 && this.#lines.get(callId)?.state === "talking")
      this.#later(callId, durationOf(line.spoken), () => this.#end(callId, "ended", "simulation"));
    return true;
  }

  /** Declines a phone that rings. Returns whether it did. */
  decline(callId: string): boolean {
    if (this.#lines.get(callId)?.state !== "ringing") return false;
    this.#end(callId, "declined", "person");
    return true;
  }

  /** Ends a talk. Returns whether it did. */
  hangUp(callId: string): boolean {
    if (this.#lines.get(callId)?.state !== "talking") return false;
    this.#end(callId, "ended", "person");
    return true;
  }

  clear(): void {
    for (const callId of [...this.#lines.keys()]) this.#forget(callId);
  }

  async #fetch(callId: string, address: string): Promise<void> {
    const fetched = await askOutside(address, this.#settings().hosts);
    const line = this.#lines.get(callId);
    if (!line) return;
    this.#lines.set(callId, { ...line, moments: [...line.moments, { at: timestamp(), what: "fetched", fetched }] });
    this.#calls.touch(callId);
  }

  /** Waits for an answer. */
  #await(callId: string): void {
    const { answers, ringSeconds } = this.#settings();
    if (answers === "everybody") this.#later(callId, ANSWER_MS, () => void this.answer(callId, "simulation"));
    else this.#later(callId, ringSeconds * 1000, () => this.#end(callId, "unanswered", "simulation"));
  }

  #end(callId: string, state: PhoneState, by: By): void {
    this.#turn(callId, state, by);
    this.#calls.end(callId);
  }

  #turn(callId: string, state: PhoneState, by?: By): void {
    const line = this.#lines.get(callId);
    if (!line) return;
    clearTimeout(line.timer);
    const moment = { at: timestamp(), what: state, ...(by && { by }) };
    this.#lines.set(callId, { ...line, state, moments: [...line.moments, moment], timer: undefined });
    this.#calls.touch(callId);
  }

  #later(callId: string, ms: number, act: () => void): void {
    const line = this.#lines.get(callId);
    clearTimeout(line?.timer);
    if (line) line.timer = setTimeout(act, ms).unref();
  }

  #forget(callId: string): void {
    clearTimeout(this.#lines.get(callId)?.timer);
    this.#lines.delete(callId);
    this.#changes.next();
  }
}
