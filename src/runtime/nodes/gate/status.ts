import type { Node, NodeAPI } from "node-red";
import { type Mode, momentText, TenantError } from "../../../client";
import { type Exceptions, formatInstant, type Holidays, holidaysOf, type Zone } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { joined } from "../../../texts/catalogue";
import { serverTexts, shared } from "../../node-red/catalogue";
import { StatusLine } from "../../node-red/status";
import { overrideOf, type ShownDecision } from "./gate";

/** A context store does not report that an override changes. */
const WATCH_MS = 1000;

/** The status of a gate: "open until 17:30", or what is wrong. */
export class GateStatus extends StatusLine {
  readonly #holidays = memoizeLast((exceptions: Exceptions, zone: Zone, _today: string) =>
    holidaysOf(exceptions, zone, Date.now()),
  );
  /** Whether the verdict may change without notice, so that it is renewed every second. */
  isWatched = false;
  /** The zone of the server, where it is used because no other is given. It is always named. */
  serverZone: Zone | undefined;
  /** Whether it is UTC only because the server's is unknown. */
  isZoneUnknown = false;
  /** The day of the copy of a calendar that could not be fetched again. */
  copyOf: string | undefined;
  override: "open" | "closed" | undefined;
  /** Whether it follows a decision: the one for a single message says nothing more. */
  isFollowing = false;

  /** @param mode of the tenant that gives the schedule, `live` for a gate with its own */
  constructor(RED: NodeAPI, node: Node, mode: Mode) {
    super(RED, node, { mode });
  }

  /** @returns until when, epoch milliseconds; `undefined` where there is nothing to follow */
  follow(current: ShownDecision | TenantError | undefined): number | undefined {
    if (current instanceof TenantError) this.failed(current);
    else this.#show(current);
    if (current === undefined && !this.isWatched) return undefined;
    const until = (current && "validUntil" in current && current.validUntil) || Number.POSITIVE_INFINITY;
    return this.isWatched ? Math.min(until, Date.now() + WATCH_MS) : until;
  }

  /** @param decision blank without one, but marked if the schedule is not a real one */
  #show(decision: ShownDecision | undefined): void {
    this.isFollowing = decision !== undefined;
    const override = decision && overrideOf(decision);
    this.override = override;
    if (!decision) {
      this.rest();
      return;
    }
    this.showWords(() => {
      const doubts = override ? [] : this.#doubts(decision);
      const overridden = () => [this.#stateOf(decision, true), shared(this.RED, "status.override")];
      const words = override ? overridden() : [...this.#decided(decision), ...doubts];
      const fill = doubts.length > 0 || this.isZoneUnknown ? "yellow" : decision.businessHour.open ? "green" : "grey";
      const shape = decision.businessHour.open ? "dot" : "ring";
      return { fill, shape, words: joined(serverTexts(this.RED), "pattern.also", words) };
    });
  }

  #decided(decision: ShownDecision): string[] {
    const words = [this.#stateOf(decision)];
    const skipped = decision.schedule?.skipped?.length ?? 0;
    if (skipped > 0) words.push(shared(this.RED, "status.skipped", { count: skipped }));
    return words;
  }

  /** @param override names the zone only with a time */
  #stateOf({ businessHour: { open, closesAt, opensAt }, zone }: ShownDecision, override = false): string {
    const at = open ? closesAt : opensAt;
    const key = `status.${open ? "open" : "closed"}${at ? "Until" : ""}` as const;
    const text = shared(this.RED, key, at ? { at: this.#moment(at, zone) } : {});
    const aside = this.#zoneNote(zone);
    return aside === "" || (at === null && override) ? text : shared(this.RED, "pattern.aside", { text, aside });
  }

  /** Returns what makes the status yellow. */
  #doubts({ businessHour: { stale, incomplete }, exceptions, zone }: ShownDecision): string[] {
    const { leftOut = 0, last }: Partial<Holidays> = exceptions ? this.#holidays(exceptions, zone, today(zone)) : {};
    const words: string[] = [];
    if (stale) words.push(shared(this.RED, "status.stale"));
    if (leftOut > 0) words.push(shared(this.RED, "status.eventsLeftOut", { count: leftOut }));
    else if (incomplete) words.push(shared(this.RED, "status.noHolidays"));
    if (last) words.push(shared(this.RED, "status.noHolidaysAhead", { last }));
    if (this.copyOf) words.push(shared(this.RED, "status.calendarOf", { date: this.copyOf.slice(0, 10) }));
    return words;
  }

  #moment(instant: string, zone: Zone): string {
    return momentText(serverTexts(this.RED), instant, today(zone));
  }

  override failed(problem: TenantError): void {
    this.isFollowing = false;
    this.override = undefined;
    super.failed(problem);
  }

  /** Names the zone where it is not the host's, or where it is the host's only because nobody chose another. */
  #zoneNote(zone: Zone): string {
    if (zone === this.serverZone) return shared(this.RED, "status.serverZone", { zone: zone.name });
    return zone.isHostZone ? "" : zone.name;
  }
}

/** The date on the clock of a zone, YYYY-MM-DD. */
function today(zone: Zone): string {
  return formatInstant(Date.now(), zone).slice(0, 10);
}
