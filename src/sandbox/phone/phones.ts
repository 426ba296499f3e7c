import type { CallStore, SandboxCall } from "../service/calls";
import { timestamp } from "../service/envelope";
import { type Behaviour, behaviourOf } from "./behaviour";
import type { Chance } from "./chance";
import { askOutside, type Fetched, type Outside } from "./outside";
import type { SandboxSettings } from "./settings";
import { durationOf, type Spoken, spokenIn } from "./speech";

/** The time that the simulation takes to answer or decline. Milliseconds. */
const ANSWER_MS = 1000;

export type PhoneState = "ringing" | "talking" | "declined" | "unanswered" | "ended";

/** The one who acts: a person at the page, or the simulation. */
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
  /** Its own behaviour; missing: as set for all. */
  readonly behaviour?: Behaviour;
  /** The texts that the call says once it is answered. */
  readonly spoken: readonly Spoken[];
  readonly moments: readonly Moment[];
}

/** The spoken texts are not kept here: they are part of the call, whose memory is bounded. */
interface Line {
  state: PhoneState;
  /** Undefined: as set for all. */
  readonly behaviour: Behaviour | undefined;
  readonly moments: Moment[];
  readonly durationMs: number;
  readonly hasAddress: boolean;
  /** Whether the flow has acted on the call, so that it goes on after all texts are said. */
  goesOn: boolean;
  timer: NodeJS.Timeout | undefined;
}

interface PhoneContext extends Outside {
  readonly calls: CallStore;
  readonly settings: SandboxSettings;
  readonly chance: Chance;
}

/** The simulated phones: they ring, and are answered by the simulation or by a person at the page. */
export class Phones {
  /** By call id. */
  readonly #lines = new Map<string, Line>();
  /** Reports each state that a phone enters after it has rung. */
  onEntered: (callId: string, state: PhoneState) => void = () => {};

  constructor(private readonly context: PhoneContext) {}

  /** @param call what is known of the call, if that was read already */
  of(callId: string, call?: SandboxCall): Phone | undefined {
    const line = this.#lines.get(callId);
    if (!line) return undefined;
    const { actions } = call ?? this.context.calls.find(callId) ?? {};
    const { state, behaviour, moments } = line;
    return { state, ...(behaviour && { behaviour }), spoken: spokenIn(actions), moments: [...moments] };
  }

  /** A call was placed: its phone rings. */
  ring({ callId, to, actions, answer_url: address }: SandboxCall): void {
    const { settings, chance } = this.context;
    const line: Line = {
      state: "ringing",
      behaviour: behaviourOf(to?.number ?? "", settings, chance),
      moments: [{ at: timestamp(), what: "ringing" }],
      durationMs: durationOf(spokenIn(actions)),
      hasAddress: Boolean(address),
      goesOn: false,
      timer: undefined,
    };
    this.#lines.set(callId, line);
    this.#waitForAnswer(callId, line);
  }

  /** The settings of who answers have changed: they hold for the phones that ring, too. */
  answersChanged(): void {
    for (const [callId, line] of this.#lines) if (line.state === "ringing") this.#waitForAnswer(callId, line);
  }

  /** @param ends `stop-a-call`; a call that was transferred or joined goes on until it is stopped or hung up */
  actedOn(callId: string, ends: boolean): void {
    const line = this.#lines.get(callId);
    if (line?.state !== "ringing" && line?.state !== "talking") return;
    line.goesOn = true;
    if (ends) this.#enter(callId, "ended");
    else if (line.state === "talking") clearTimeout(line.timer);
  }

  /** The calls whose phones wait for somebody at the page, the newest first. */
  get waiting(): string[] {
    if (this.context.settings.answers !== "ask") return [];
    const lines = [...this.#lines].filter(([, { state, behaviour }]) => state === "ringing" && behaviour === undefined);
    return lines.map(([callId]) => callId).reverse();
  }

  /** Answers a phone that rings. Returns whether it did. */
  answer(callId: string, by: By = "person"): boolean {
    const line = this.#lines.get(callId);
    if (line?.state !== "ringing") return false;
    this.#enter(callId, "talking", by);
    void this.#talk(callId, line, by);
    return true;
  }

  /** The simulation listens to the end and hangs up, unless the flow acts on the call. Never rejects. */
  async #talk(callId: string, line: Line, by: By): Promise<void> {
    if (line.hasAddress) {
      const { answer_url: address = "" } = this.context.calls.find(callId) ?? {};
      const fetched = await askOutside(address, this.context);
      line.moments.push({ at: timestamp(), what: "fetched", fetched });
      this.context.calls.touch(callId);
    }
    if (by === "simulation" && line.state === "talking" && !line.goesOn)
      this.#later(line, line.durationMs, () => this.#finish(callId, "ended", "simulation"));
  }

  /** Declines a phone that rings. Returns whether it did. */
  decline(callId: string): boolean {
    return this.#finishIf("ringing", callId, "declined");
  }

  /** Ends a talk. Returns whether it did. */
  hangUp(callId: string): boolean {
    return this.#finishIf("talking", callId, "ended");
  }

  #finishIf(before: PhoneState, callId: string, after: PhoneState): boolean {
    if (this.#lines.get(callId)?.state !== before) return false;
    this.#finish(callId, after, "person");
    return true;
  }

  clear(): void {
    for (const callId of [...this.#lines.keys()]) this.forget(callId);
  }

  forget(callId: string): void {
    clearTimeout(this.#lines.get(callId)?.timer);
    this.#lines.delete(callId);
  }

  /** Plans what becomes of a phone that rings. */
  #waitForAnswer(callId: string, line: Line): void {
    const { answers, ringSeconds } = this.context.settings;
    const behaviour = line.behaviour ?? (answers === "everybody" ? "answers" : "never answers");
    if (behaviour === "answers") this.#later(line, ANSWER_MS, () => this.answer(callId, "simulation"));
    else if (behaviour === "declines")
      this.#later(line, ANSWER_MS, () => this.#finish(callId, "declined", "simulation"));
    else this.#later(line, ringSeconds * 1000, () => this.#finish(callId, "unanswered", "simulation"));
  }

  #finish(callId: string, state: PhoneState, by: By): void {
    this.#enter(callId, state, by);
    this.context.calls.end(callId);
  }

  #enter(callId: string, state: PhoneState, by?: By): void {
    const line = this.#lines.get(callId);
    if (!line) return;
    clearTimeout(line.timer);
    line.state = state;
    line.moments.push({ at: timestamp(), what: state, ...(by && { by }) });
    this.context.calls.touch(callId);
    this.onEntered(callId, state);
  }

  #later(line: Line, ms: number, act: () => void): void {
    clearTimeout(line.timer);
    line.timer = setTimeout(act, ms).unref();
  }
}
