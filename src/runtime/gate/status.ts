import type { Node, NodeAPI, NodeStatus } from "node-red";
import { formatInstant, hostZone, isSameZone, type Verdict, type Zone } from "../../hours";
import { TenantError } from "../../tenant";
import { shared } from "../node-red/catalogue";
import { isRinged } from "../node-red/status";
import { StatusWords } from "../node-red/status-words";
import { NoSchedule, wordsFor } from "../schedules/no-schedule";
import type { BusinessHour } from "./business-hour";

/** What is to be shown without a message: a verdict, why there is none, or nothing. */
export type CurrentVerdict = { readonly verdict: Verdict; readonly stale: boolean } | TenantError | undefined;
type Shown = Pick<BusinessHour, "open" | "closesAt" | "opensAt">;

/** A clock that was put forward or back is noticed this soon. */
const LONGEST_SLEEP_MS = 60_000;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const DAY_MS = 86_400_000;

/** "open until 17:30" under a gate, renewed when the moment comes; no timer outlives the node. */
export class GateStatus {
  readonly #RED: NodeAPI;
  readonly #words: StatusWords;
  readonly #judge: () => CurrentVerdict | Promise<CurrentVerdict>;
  #zone: Zone | undefined;
  /** Names the zone where it is not the host's. */
  #zoneNote = "";
  #timer: NodeJS.Timeout | undefined;
  /** Whether there was anything to follow or not: what a predecessor left is looked after. */
  #begun = false;
  #failing = false;
  #closed = false;

  /** @param judge what the gate would say now, as far as that is known; never throws nor rejects */
  constructor(RED: NodeAPI, node: Node, judge: () => CurrentVerdict | Promise<CurrentVerdict>) {
    this.#RED = RED;
    this.#words = new StatusWords(node);
    this.#judge = judge;
  }

  set zone(zone: Zone) {
    this.#zone = zone;
    this.#zoneNote = isSameZone(zone.name, hostZone()) ? "" : ` (${zone.name})`;
  }

  /** Shows what is now, and plans the next time that it changes. */
  renew(): void {
    this.forget();
    if (this.#closed) return;
    const now = this.#judge();
    if (now instanceof Promise) void now.then((known) => this.#follow(known));
    else this.#follow(now);
  }

  #follow(now: CurrentVerdict): void {
    if (this.#closed) return;
    if (now === undefined) {
      if (!this.#begun) this.#words.blank();
      this.#begun = true;
      return;
    }
    this.#begun = true;
    let until = Number.POSITIVE_INFINITY;
    if (now instanceof TenantError) this.failed(now);
    else {
      this.#show(now.verdict, now.stale);
      until = now.verdict.validUntil ?? until;
    }
    this.forget();
    this.#timer = setTimeout(() => this.renew(), Math.min(LONGEST_SLEEP_MS, Math.max(1, until - Date.now())));
  }

  /** Messages are judged by something else now. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** A message was judged. Where the status can follow a schedule by itself, that says more than one message's instant. */
  judged(businessHour: BusinessHour): void {
    if (this.#failing || this.#timer === undefined) this.renew();
    if (this.#timer === undefined) this.#show(businessHour, businessHour.stale);
  }

  failed(problem: TenantError): void {
    this.#failing = true;
    const { code } = problem instanceof NoSchedule ? problem.why : problem;
    const shape = isRinged(code) ? "ring" : "dot";
    this.#words.show(() => ({ fill: "red", shape, text: shared(this.#RED, wordsFor(problem)) }));
  }

  close(removed: boolean): void {
    this.#closed = true;
    this.forget();
    this.#words.close(removed);
  }

  #show({ open, closesAt, opensAt }: Shown, stale: boolean): void {
    this.#failing = false;
    this.#words.show((): NodeStatus => {
      const at = open ? closesAt : opensAt;
      const key = `status.${open ? "open" : "closed"}${at ? "Until" : ""}` as const;
      const text = shared(this.#RED, key, at ? { at: this.#moment(at) } : {}) + this.#zoneNote;
      const shape = open ? "dot" : "ring";
      if (stale) return { fill: "yellow", shape, text: `${text}, ${shared(this.#RED, "status.stale")}` };
      return { fill: open ? "green" : "grey", shape, text };
    });
  }

  /** `17:30` today, `Mon 08:00` within a week, `2026-12-24 08:00` beyond; all on the gate's own wall clock. */
  #moment(iso: string): string {
    const [date = "", time = ""] = iso.split("T");
    const clock = time.slice(0, 5);
    const today = this.#zone ? formatInstant(Date.now(), this.#zone).slice(0, 10) : date;
    const away = (Date.parse(date) - Date.parse(today)) / DAY_MS;
    if (away === 0) return clock;
    const weekday = WEEKDAYS[new Date(date).getUTCDay()] ?? "mon";
    return away > 0 && away < 7 ? `${shared(this.#RED, `status.days.${weekday}`)} ${clock}` : `${date} ${clock}`;
  }
}
