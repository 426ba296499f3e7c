import type { CallStore, SandboxCall } from "../service/calls";
import { timestamp } from "../service/envelope";
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

/** A moment at epoch milliseconds: most are never shown. */
type Noted = Omit<Moment, "at"> & { readonly at: number };

/** What a call says is not kept here: it is part of the call, whose memory is bounded. */
interface Line {
  state: PhoneState;
  readonly moments: Noted[];
  readonly durationMs: number;
  readonly hasAddress: boolean;
  /** The flow does something with the call, which therefore goes on. */
  isKept: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** What phones need of the sandbox that they are part of. */
interface Surroundings {
  readonly calls: CallStore;
  readonly settings: SandboxSettings;
  readonly allowedHosts: readonly string[];
  readonly outside: AbortController;
}

/** Lets simulated phones ring, and those who look at them answer. */
export class Phones {
  readonly #state: Surroundings;
  /** By call id. */
  readonly #lines = new Map<string, Line>();

  constructor(state: Surroundings) {
    this.#state = state;
  }

  /** @param call what is known of the call, if that was read already */
  of(callId: string, call?: SandboxCall): Phone | undefined {
    const line = this.#lines.get(callId);
    if (!line) return undefined;
    const { actions } = call ?? this.#state.calls.find(callId) ?? {};
    const moments = line.moments.map((moment) => ({ ...moment, at: timestamp(moment.at) }));
    return { state: line.state, spoken: spokenIn(actions), moments };
  }

  /** A call was placed: its phone rings. */
  ring({ callId, actions, answer_url: address }: SandboxCall): void {
    const line: Line = {
      state: "ringing",
      moments: [{ at: Date.now(), what: "ringing" }],
      durationMs: durationOf(spokenIn(actions)),
      hasAddress: address !== undefined,
      isKept: false,
      timer: undefined,
    };
    this.#lines.set(callId, line);
    this.#await(callId, line);
  }

  /** Somebody else answers now: phones that ring are answered, or ring out, accordingly. */
  answersChanged(): void {
    for (const [callId, line] of this.#lines) if (line.state === "ringing") this.#await(callId, line);
  }

  /** A call that was transferred or joined goes on until somebody ends it. */
  keep(callId: string): void {
    const line = this.#lines.get(callId);
    if (!line) return;
    line.isKept = true;
    if (line.state === "talking") clearTimeout(line.timer);
  }

  /** The service ends the call, or a person does: `stop-a-call`, or hanging up. */
  over(callId: string): void {
    const line = this.#lines.get(callId);
    if (line?.state === "ringing" || line?.state === "talking") this.#turn(callId, "ended");
  }

  /** Answers a phone that rings. Returns whether it did. */
  answer(callId: string, by: By = "person"): boolean {
    const line = this.#lines.get(callId);
    if (line?.state !== "ringing") return false;
    this.#turn(callId, "talking", by);
    if (line.hasAddress) void this.#fetch(callId).then(() => this.#listen(callId, by));
    else this.#listen(callId, by);
    return true;
  }

  /** Whoever answers for everybody listens to the end, unless the flow does something with the call. */
  #listen(callId: string, by: By): void {
    const line = this.#lines.get(callId);
    if (by === "simulation" && line?.state === "talking" && !line.isKept)
      this.#later(line, line.durationMs, () => this.#end(callId, "ended", "simulation"));
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
    for (const callId of [...this.#lines.keys()]) this.forget(callId);
  }

  forget(callId: string): void {
    clearTimeout(this.#lines.get(callId)?.timer);
    this.#lines.delete(callId);
  }

  /** Never rejects. */
  async #fetch(callId: string): Promise<void> {
    const { answer_url: address = "" } = this.#state.calls.find(callId) ?? {};
    const fetched = await askOutside(address, this.#state.allowedHosts, this.#state.outside.signal);
    const line = this.#lines.get(callId);
    if (!line) return;
    line.moments.push({ at: Date.now(), what: "fetched", fetched });
    this.#state.calls.touch(callId);
  }

  /** Waits for an answer. */
  #await(callId: string, line: Line): void {
    const { answers, ringSeconds } = this.#state.settings;
    if (answers === "everybody") this.#later(line, ANSWER_MS, () => this.answer(callId, "simulation"));
    else this.#later(line, ringSeconds * 1000, () => this.#end(callId, "unanswered", "simulation"));
  }

  #end(callId: string, state: PhoneState, by: By): void {
    this.#turn(callId, state, by);
    this.#state.calls.end(callId);
  }

  #turn(callId: string, state: PhoneState, by?: By): void {
    const line = this.#lines.get(callId);
    if (!line) return;
    clearTimeout(line.timer);
    line.state = state;
    line.moments.push(by ? { at: Date.now(), what: state, by } : { at: Date.now(), what: state });
    this.#state.calls.touch(callId);
  }

  #later(line: Line, ms: number, act: () => void): void {
    clearTimeout(line.timer);
    line.timer = setTimeout(act, ms).unref();
  }
}
