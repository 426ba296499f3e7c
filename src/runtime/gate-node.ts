import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type Config, reasonOf } from "../fields";
import {
  type Calendar,
  calendar,
  formatInstant,
  hostZone,
  loadZone,
  type Schedule,
  type Verdict,
  type Zone,
} from "../hours";
import { notSent, TenantError } from "../tenant";
import { shared } from "./catalogue";
import { failure, notBegun } from "./failure";
import { type GateSources, gateSources, type Matter, type Question } from "./gate-sources";
import { GateStatus, type Standing } from "./gate-status";
import { claim, leave, leaveBehind, type Pending } from "./hand-over";
import { hostOf } from "./host";
import { writable } from "./output";
import type { Known } from "./schedule-book";
import type { Tenant } from "./tenants";
import { asTenantError } from "./texts";

type Send = (messages: [NodeMessage | null, NodeMessage | null]) => void;
type Done = (error?: Error) => void;
type Reason = Verdict["reason"] | "override" | "unknown";

/** Routes messages by a schedule: untouched but for `msg.businessHour`, to the first output when open. */
export class GateNode {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #tenant: Tenant | undefined;
  readonly #status: GateStatus;
  readonly #waiting = new Set<Pending>();
  #sources: GateSources | undefined;
  #problem: TenantError | undefined;
  #zone: Zone | undefined;
  #zoneReady: Promise<void> = Promise.resolve();
  #calendar: { schedule: Schedule; exceptions: Question["exceptions"]; judge: Calendar } | undefined;
  /** What the last message was judged by: the status follows that where schedules or exceptions come with messages. */
  #matter: Matter | undefined;
  #unfollow: (() => void) | undefined;
  #closed = false;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    this.#RED = RED;
    this.#node = node;
    this.#tenant = (RED.nodes.getNode(String(config["tenant"] ?? "")) as { tenant?: Tenant } | null)?.tenant;
    this.#status = new GateStatus(RED, node, () => this.#judgeNow());
    claim(node.id, node);
    node.on("input", (message, send, done) => this.#input(message, send as unknown as Send, done));
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#close(removed);
      closed();
    });
    try {
      this.#open(gateSources(config, hostOf(RED, node)));
    } catch (error) {
      this.#refuse(asTenantError(error));
    }
  }

  #open(sources: GateSources): void {
    this.#sources = sources;
    if (sources.fromTenant) {
      if (!this.#tenant) throw notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
      if (this.#tenant.problem) throw this.#tenant.problem;
    }
    const zone = sources.timezone || this.#tenant?.settings?.timezone || hostZone();
    this.#zoneReady = loadZone(zone).then(
      (loaded) => {
        if (this.#closed) return;
        this.#zone = loaded;
        this.#status.zone = loaded;
        if (sources.fixedKey && this.#tenant?.book) {
          this.#unfollow = this.#tenant.book.follow(sources.fixedKey, this, sources.refreshMs, () =>
            this.#status.renew(),
          );
        }
        this.#status.renew();
      },
      (error: unknown) => this.#refuse(asTenantError(error)),
    );
  }

  #refuse(problem: TenantError): void {
    this.#problem = problem;
    this.#status.failed(problem);
  }

  #close(removed: boolean): void {
    this.#closed = true;
    this.#status.close();
    this.#unfollow?.();
    // What still waits for the first reading of a schedule is judged by the successor; without one, the log tells of it.
    for (const pending of this.#waiting) leaveBehind(this.#RED, this.#node.id, pending);
    this.#waiting.clear();
    leave(this.#RED, this.#node.id, this.#node, removed);
  }

  /** Never throws and never rejects. */
  #input(message: NodeMessage, send: Send, done: Done): void {
    try {
      const answer = this.#zone && !this.#problem ? this.#answer(message) : this.#later(message);
      if (!(answer instanceof Promise)) {
        this.#pass(message, answer, send, done);
        return;
      }
      const pending: Pending = { message, action: "business-hour-gate", owner: this.#node, deliver: () => {} };
      this.#waiting.add(pending);
      answer.then(
        (businessHour) => this.#waiting.delete(pending) && this.#pass(message, businessHour, send, done),
        (error: unknown) => this.#waiting.delete(pending) && this.#fail(message, error, done),
      );
    } catch (error) {
      this.#fail(message, error, done);
    }
  }

  async #later(message: NodeMessage): Promise<BusinessHour> {
    await this.#zoneReady;
    if (this.#problem) throw this.#problem;
    return this.#answer(message);
  }

  #answer(message: NodeMessage): BusinessHour | Promise<BusinessHour> {
    const question = (this.#sources as GateSources).ask(message);
    return question instanceof Promise ? question.then((asked) => this.#judge(asked)) : this.#judge(question);
  }

  #judge(question: Question): BusinessHour | Promise<BusinessHour> {
    if (!isAlike(this.#matter, question)) this.#status.forget();
    this.#matter = question;
    const zone = this.#zone as Zone;
    const instant = (this.#sources as GateSources).instant(question.at, zone);
    const { book } = this.#tenant ?? {};
    if (!question.key)
      return this.#decide(question, { schedule: question.schedule, stale: false, problem: undefined }, instant);
    if (!book) throw notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
    // An override needs no schedule; it only tells of one that is in hand.
    const unknown: Known = { schedule: undefined, stale: false, problem: undefined };
    const known = question.override
      ? (book.peek(question.key) ?? unknown)
      : book.get(question.key, this.#sources?.refreshMs ?? 0);
    return known instanceof Promise
      ? known.then((copy) => this.#decide(question, copy, instant))
      : this.#decide(question, known, instant);
  }

  #decide({ override, exceptions }: Question, { schedule, stale, problem }: Known, instant: number): BusinessHour {
    const zone = this.#zone as Zone;
    const fixed = {
      name: schedule?.name ?? null,
      id: schedule?.id ?? null,
      timezone: zone.name,
      checkedAt: formatInstant(instant, zone),
    };
    const bare = (open: boolean, reason: Reason) => ({
      open,
      reason,
      ...fixed,
      closesAt: null,
      opensAt: null,
      opensIn: null,
      stale,
    });
    if (override) return bare(override === "open", "override");
    if (!schedule) {
      const onUnknown = this.#sources?.onUnknown ?? "error";
      const error = problem ?? notSent("ERR_SCHEDULE", "parse", { retryable: true, key: "scheduleNotGiven" });
      if (onUnknown === "error") throw scheduleError(error);
      this.#status.failed(scheduleError(error));
      return bare(onUnknown === "open", "unknown");
    }
    const { open, reason, closesAt, opensAt, opensIn } = this.#calendarOf(schedule, exceptions, zone)(instant);
    return { open, reason, ...fixed, closesAt, opensAt, opensIn, stale };
  }

  /** The calendar of the last schedule is kept: messages mostly ask about the same one. */
  #calendarOf(schedule: Schedule, exceptions: Question["exceptions"], zone: Zone): Calendar {
    const kept = this.#calendar;
    if (kept?.schedule === schedule && kept.exceptions === exceptions) return kept.judge;
    const judge = calendar(schedule, exceptions, zone);
    this.#calendar = { schedule, exceptions, judge };
    return judge;
  }

  /** What the status shows between messages. */
  #judgeNow(): Standing | Promise<Standing> {
    if (this.#problem) return this.#problem;
    try {
      const { standing } = this.#sources ?? {};
      const matter = standing ? standing() : this.#matter;
      if (!(matter instanceof Promise)) return this.#verdictOn(matter);
      return matter.then((known) => this.#verdictOn(known)).catch(asTenantError);
    } catch (error) {
      return asTenantError(error);
    }
  }

  #verdictOn(matter: Matter | undefined): Standing {
    if (!matter || !this.#zone) return undefined;
    const { key, schedule, exceptions } = matter;
    const known = key ? this.#tenant?.book?.peek(key) : { schedule, stale: false, problem: undefined };
    if (!known?.schedule) return known?.problem && scheduleError(known.problem);
    return { verdict: this.#calendarOf(known.schedule, exceptions, this.#zone)(Date.now()), stale: known.stale };
  }

  #pass(message: NodeMessage, businessHour: BusinessHour, send: Send, done: Done): void {
    const out = writable(message, ["businessHour"]) as NodeMessage & { businessHour?: BusinessHour };
    out.businessHour = businessHour;
    if (businessHour.reason !== "unknown") this.#status.judged(businessHour);
    this.#deliver(message, () => {
      send(businessHour.open ? [out, null] : [null, out]);
      done();
    });
  }

  #fail(message: NodeMessage, error: unknown, done: Done): void {
    const problem = asTenantError(error);
    this.#status.failed(problem);
    const end = notBegun(problem);
    const mode = this.#tenant?.settings?.mode ?? null;
    this.#deliver(message, () => done(failure(this.#RED, "business-hour-gate", mode, end)));
  }

  /** Never throws: Node-RED copies a message for a second wire or a Catch node, and not every message can be copied. */
  #deliver({ _msgid }: NodeMessage, pass: () => void): void {
    try {
      pass();
    } catch (error) {
      const params = {
        action: "business-hour-gate",
        id: String(_msgid),
        outcome: "not-applied",
        reason: reasonOf(error),
      };
      this.#RED.log.warn(shared(this.#RED, "log.undeliverable", params));
    }
  }
}

/** What a gate tells of its decision. Instants are ISO 8601 with the zone's offset, `opensIn` milliseconds. */
export interface BusinessHour {
  readonly open: boolean;
  readonly reason: Reason;
  readonly name: string | null;
  readonly id: number | string | null;
  readonly timezone: string;
  readonly checkedAt: string;
  readonly closesAt: string | null;
  readonly opensAt: string | null;
  readonly opensIn: number | null;
  readonly stale: boolean;
}

function isAlike(a: Matter | undefined, b: Matter): boolean {
  return (
    a?.schedule === b.schedule && a?.exceptions === b.exceptions && JSON.stringify(a?.key) === JSON.stringify(b.key)
  );
}

/** No schedule to judge by, with the reason why. */
function scheduleError({ key, params, details, code }: TenantError): TenantError {
  const own = key.startsWith("schedule") ? key : "ERR_SCHEDULE";
  return new TenantError("ERR_SCHEDULE", "parse", "no", "not-applied", true, details, own, { ...params, why: code });
}
