import type { Node, NodeAPI, NodeStatus } from "node-red";
import { formatInstant, hostZone, isSameZone, type Schedule, type Zone } from "../../../hours";
import { type Mode, TenantError } from "../../../tenant";
import { shared } from "../../node-red/catalogue";
import { failedStatus, momentText } from "../../node-red/status";
import { ThrottledStatus } from "../../node-red/throttled-status";
import { type Clock, longestSleep, realClock, waitFor } from "../../schedules/clock";
import type { BusinessHour, ClosedByHand, CurrentVerdict } from "./gate";

/** A context store does not tell that an override changes. */
const WATCH_MS = 1000;

type Times = Pick<BusinessHour, "open" | "closesAt" | "opensAt">;

/** What a verdict rests on. */
interface Basis {
  readonly stale: boolean;
  readonly incomplete: boolean;
  readonly schedule?: Schedule | undefined;
  readonly zone: Zone;
}

/** The status of a gate: "open until 17:30", or what is wrong. */
export class GateStatus {
  readonly #RED: NodeAPI;
  readonly #words: ThrottledStatus;
  readonly #mode: Mode;
  readonly #onExpired: () => void;
  readonly #clock: Clock;
  /** Whether the verdict may change without notice, so that it is renewed every second. */
  isWatched = false;
  /** The zone of the server, where it is used because no other is given. It is always named. */
  serverZone: Zone | undefined;
  /** The day of the copy of a calendar that could not be fetched again. */
  copyOf: string | undefined;
  /** The override that is shown. */
  override: "open" | "closed" | undefined;
  /** Runs while there is something to renew; no timer outlives the node. */
  #timer: NodeJS.Timeout | undefined;
  #following = false;
  #failing = false;
  #closed = false;

  /**
   * @param mode of the tenant that gives the schedule, `live` for a gate with its own
   * @param onExpired called when the verdict that the status follows no longer holds
   * @param clock that the verdicts go by
   */
  constructor(RED: NodeAPI, node: Node, mode: Mode, onExpired: () => void, clock: Clock = realClock) {
    this.#RED = RED;
    this.#words = new ThrottledStatus(node);
    this.#mode = mode;
    this.#onExpired = onExpired;
    this.#clock = clock;
  }

  /** Whether the status follows a verdict, so that the decision for one message says nothing more. */
  get follows(): boolean {
    return this.#following && !this.#failing;
  }

  /**
   * Shows what holds now, until it expires.
   * @returns whether there is something to follow
   */
  follow(current: CurrentVerdict): boolean {
    this.unfollow();
    if (this.#closed) return false;
    this.#following = current !== undefined;
    let sleepMs = this.isWatched ? WATCH_MS : longestSleep(this.#clock);
    if (current === undefined) this.#rest();
    else if (current instanceof TenantError) this.failed(current);
    else if (typeof current === "string") this.overridden(current);
    else if ("closedUntil" in current) {
      this.overridden("closed", current);
      sleepMs = Math.min(sleepMs, Math.max(0, current.closedUntil - Date.now()));
    } else {
      const { verdict } = current;
      this.decided(verdict, current);
      if (verdict.validUntil !== null) sleepMs = Math.min(sleepMs, waitFor(this.#clock, verdict.validUntil));
    }
    if (this.#following || this.isWatched) this.#timer = setTimeout(this.#onExpired, sleepMs);
    return this.#following;
  }

  unfollow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#following = false;
  }

  decided(times: Times, { stale, incomplete, schedule, zone }: Basis): void {
    const { open, closesAt, opensAt } = times;
    this.#shows(undefined);
    this.#words.show(() => {
      const at = open ? closesAt : opensAt;
      const key = `status.${open ? "open" : "closed"}${at ? "Until" : ""}` as const;
      const words = [
        shared(this.#RED, key, at ? { at: momentText(this.#RED, at, this.#today(zone)) } : {}) + this.#zoneNote(zone),
      ];
      const skipped = schedule?.skipped?.length ?? 0;
      if (skipped > 0) words.push(shared(this.#RED, "status.skipped", { count: skipped }));
      if (stale) words.push(shared(this.#RED, "status.stale"));
      if (incomplete) words.push(shared(this.#RED, "status.noHolidays"));
      else if (this.copyOf) words.push(shared(this.#RED, "status.calendarOf", { date: this.copyOf.slice(0, 10) }));
      return this.#status(open, words, stale || incomplete || this.copyOf !== undefined);
    });
  }

  /** @param closed by hand, with an end */
  overridden(override: "open" | "closed", closed?: ClosedByHand): void {
    this.#shows(override);
    this.#words.show(() => {
      const state = closed ? this.#closedUntil(closed) : shared(this.#RED, `status.${override}`);
      const words = [state, shared(this.#RED, "status.override")];
      return this.#status(override === "open", words);
    });
  }

  /** The end is on the real clock, also where the gate follows that of a sandbox. */
  #closedUntil({ closedUntil, zone }: ClosedByHand): string {
    const [end, now] = [closedUntil, Date.now()].map((instant) => formatInstant(instant, zone)) as [string, string];
    const at = momentText(this.#RED, end, now.slice(0, 10));
    return shared(this.#RED, "status.closedUntil", { at }) + this.#zoneNote(zone);
  }

  failed(problem: TenantError): void {
    this.#shows(undefined);
    this.#failing = true;
    const { fill, shape, key, params } = failedStatus(problem);
    this.#words.show(() => ({ fill, shape, text: this.#prefix() + shared(this.#RED, `status.${key}`, params) }));
  }

  close(removed: boolean): void {
    this.#closed = true;
    this.unfollow();
    this.#words.close(removed);
  }

  /** Nothing is known: blank, but marked if the schedule is not a real one. */
  #rest(): void {
    const wasOverridden = this.override !== undefined;
    this.#shows(undefined);
    if (this.#mode !== "live") this.#words.show(() => ({ fill: "yellow", shape: "ring", text: this.#modeWord() }));
    else if (wasOverridden) this.#words.show(() => ({}));
    else this.#words.blank();
  }

  #shows(override: "open" | "closed" | undefined): void {
    this.#failing = false;
    this.override = override;
  }

  #status(open: boolean, words: readonly string[], isDoubtful = false): NodeStatus {
    const text = this.#prefix() + words.join(", ");
    if (this.#mode !== "live") return { fill: "yellow", shape: "ring", text };
    return { fill: isDoubtful ? "yellow" : open ? "green" : "grey", shape: open ? "dot" : "ring", text };
  }

  /** The date on the wall clock of a zone. */
  #today(zone: Zone): string {
    return formatInstant(this.#clock.now(), zone).slice(0, 10);
  }

  #prefix(): string {
    return this.#mode === "live" ? "" : `${this.#modeWord()}: `;
  }

  #modeWord(): string {
    return shared(this.#RED, `status.mode.${this.#mode === "log" ? "log" : "sandbox"}`);
  }

  /** Names the zone where it is not the host's, or where it is the host's only because nobody chose another. */
  #zoneNote(zone: Zone): string {
    if (zone === this.serverZone) return ` (${shared(this.#RED, "status.serverZone", { zone: zone.name })})`;
    return isSameZone(zone.name, hostZone()) ? "" : ` (${zone.name})`;
  }
}
