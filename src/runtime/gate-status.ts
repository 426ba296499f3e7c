import type { Node, NodeAPI, NodeStatus } from "node-red";
import { formatInstant, hostZone, type Verdict, type Zone } from "../hours";
import { TenantError } from "../tenant";
import { shared } from "./catalogue";
import type { BusinessHour } from "./gate-node";
import { StatusWords } from "./status-words";

/** What is to be shown without a message: a verdict, why there is none, or nothing. */
type Judge = () => { readonly verdict: Verdict; readonly stale: boolean } | TenantError | undefined;
type Shown = Pick<BusinessHour, "open" | "closesAt" | "opensAt">;

/** A clock that was put forward or back is noticed this soon. */
const LONGEST_SLEEP_MS = 60_000;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const DAY_MS = 86_400_000;

/** "open until 17:30" under a gate, renewed when the moment comes; no timer outlives the node. */
export class GateStatus {
  readonly #RED: NodeAPI;
  readonly #words: StatusWords;
  readonly #judge: Judge;
  zone: Zone | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param judge what the schedule says now, where it does not come with the messages */
  constructor(RED: NodeAPI, node: Node, judge: Judge) {
    this.#RED = RED;
    this.#words = new StatusWords(node);
    this.#judge = judge;
  }

  /** Shows what is now, and plans the next time that it changes. */
  renew(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed) return;
    const now = this.#judge();
    if (now === undefined) return;
    if (now instanceof TenantError) {
      this.failed(now);
      return;
    }
    this.#show(now.verdict, now.stale);
    const until = now.verdict.validUntil ?? Number.POSITIVE_INFINITY;
    this.#timer = setTimeout(() => this.renew(), Math.min(LONGEST_SLEEP_MS, Math.max(1, until - Date.now())));
  }

  /** A message was judged. Where the status follows a schedule by itself, that says more than one message's instant. */
  judged(businessHour: BusinessHour): void {
    if (this.#timer === undefined) this.#show(businessHour, businessHour.stale);
  }

  failed({ code, key }: TenantError): void {
    const word = code === "ERR_SCHEDULE" ? key : key.startsWith("config.") ? "ERR_CONFIG" : code;
    this.#words.show(() => ({ fill: "red", shape: "dot", text: shared(this.#RED, `status.${word}`) }));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#words.close();
  }

  #show({ open, closesAt, opensAt }: Shown, stale: boolean): void {
    const at = open ? closesAt : opensAt;
    const key = `status.${open ? "open" : "closed"}${at ? "Until" : ""}`;
    const text = shared(this.#RED, key, at ? { at: this.#moment(at) } : {});
    const foreign = this.zone && this.zone.name !== hostZone() ? ` (${this.zone.name})` : "";
    const status: NodeStatus = stale
      ? {
          fill: "yellow",
          shape: open ? "dot" : "ring",
          text: `${text}${foreign}, ${shared(this.#RED, "status.stale")}`,
        }
      : { fill: open ? "green" : "grey", shape: open ? "dot" : "ring", text: text + foreign };
    this.#words.show(() => status);
  }

  /** `17:30` today, `Mon 08:00` within a week, `2026-12-24 08:00` beyond; all on the gate's own wall clock. */
  #moment(iso: string): string {
    const [date = "", time = ""] = iso.split("T");
    const clock = time.slice(0, 5);
    const today = this.zone ? formatInstant(Date.now(), this.zone).slice(0, 10) : date;
    const away = (Date.parse(date) - Date.parse(today)) / DAY_MS;
    if (away === 0) return clock;
    const weekday = WEEKDAYS[new Date(date).getUTCDay()] ?? "mon";
    return away > 0 && away < 7 ? `${shared(this.#RED, `status.days.${weekday}`)} ${clock}` : `${date} ${clock}`;
  }
}
