import type { Node, NodeAPI, NodeStatus } from "node-red";
import { formatInstant, hostZone, isSameZone, type Zone } from "../../hours";
import { TenantError } from "../../tenant";
import { shared } from "../node-red/catalogue";
import { failedStatus } from "../node-red/status";
import { ThrottledStatus } from "../node-red/throttled-status";
import type { BusinessHour, CurrentVerdict } from "./gate";

/** A verdict is renewed at least this often, because the host's clock may be changed. */
const LONGEST_SLEEP_MS = 60_000;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const DAY_MS = 86_400_000;

/** The status of a gate: "open until 17:30", or what is wrong. */
export class GateStatus {
  readonly #RED: NodeAPI;
  readonly #words: ThrottledStatus;
  readonly #onExpired: () => void;
  #zone: Zone | undefined;
  /** Names the zone where it is not the host's. */
  #zoneNote = "";
  /** Runs while the status follows a verdict; no timer outlives the node. */
  #timer: NodeJS.Timeout | undefined;
  #failing = false;
  #closed = false;

  /** @param onExpired called when the verdict that the status follows no longer holds */
  constructor(RED: NodeAPI, node: Node, onExpired: () => void) {
    this.#RED = RED;
    this.#words = new ThrottledStatus(node);
    this.#onExpired = onExpired;
  }

  set zone(zone: Zone) {
    this.#zone = zone;
    this.#zoneNote = isSameZone(zone.name, hostZone()) ? "" : ` (${zone.name})`;
  }

  /** Whether the status follows a verdict, so that the decision for one message says nothing more. */
  get follows(): boolean {
    return this.#timer !== undefined && !this.#failing;
  }

  /**
   * Shows what holds now, until it expires.
   * @returns whether there is something to follow
   */
  follow(current: CurrentVerdict): boolean {
    this.unfollow();
    if (this.#closed) return false;
    if (current === undefined) {
      this.#words.blank();
      return false;
    }
    let sleepMs = LONGEST_SLEEP_MS;
    if (current instanceof TenantError) this.failed(current);
    else {
      const { verdict, stale } = current;
      this.decided({ ...verdict, stale });
      if (verdict.validUntil !== null) sleepMs = Math.min(sleepMs, Math.max(1, verdict.validUntil - Date.now()));
    }
    this.#timer = setTimeout(this.#onExpired, sleepMs);
    return true;
  }

  unfollow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  decided({ open, closesAt, opensAt, stale }: Pick<BusinessHour, "open" | "closesAt" | "opensAt" | "stale">): void {
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

  failed(problem: TenantError): void {
    this.#failing = true;
    const { fill, shape, key, params } = failedStatus(problem);
    this.#words.show(() => ({ fill, shape, text: shared(this.#RED, `status.${key}`, params) }));
  }

  close(removed: boolean): void {
    this.#closed = true;
    this.unfollow();
    this.#words.close(removed);
  }

  /** `17:30` today, `Mon 08:00` within a week, else `2026-12-24 08:00`, on the gate's wall clock. */
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
