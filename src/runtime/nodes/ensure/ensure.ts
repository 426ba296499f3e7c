import {
  type Answered,
  type Failed,
  type JobResult,
  NO_TIMINGS,
  operations,
  type Request,
  requestFor,
  TenantError,
} from "../../../client";
import { maskNumbers } from "../../../fields";
import { type DayEntry, readGivenSchedule, sameOpenings } from "../../../hours";
import { attempt } from "../../../json/rules";
import { Turns } from "../../../json/turns";
import { perNode } from "../../node-red/node-state";
import { asTenantError } from "../../node-red/texts";
import { schedulesNamed } from "../../schedules/find-schedule";
import { sum } from "../../schedules/pages";
import type { RunTools } from "../action/declaration";

/** The schedule that the tenant should have. */
interface Wanted {
  readonly name: string;
  readonly enabled: boolean;
  readonly days: readonly DayEntry[];
}

/** A schedule as the tenant gives it. */
interface ScheduleRecord {
  readonly id: number | string;
  readonly name: string;
}

/** The runs for each tenant and name, one after the other. They go on across a redeploy, beside those of the next instance. */
const runs = perNode<Turns>("ensure run").of("", () => new Turns());

/** Gives the tenant a schedule, or plans it: see docs/contract/ensure.md. Runs when all earlier ones have ended. Never rejects. */
export function ensure(wanted: Wanted, tools: RunTools, isPlan: boolean): Promise<JobResult> {
  return runs.take(JSON.stringify([tools.target, wanted.name]), () => new EnsureRun(wanted, tools).run(isPlan));
}

/**
 * Gives the tenant one schedule. The new one is created and read back before the old one is deleted, so that there is one at
 * any moment. After a lost answer the run reads what has become of its request; it never sends one to create again.
 */
class EnsureRun {
  #timings = NO_TIMINGS;
  #last: Answered | undefined;
  /** The id of the schedule that the run has created; null if it may have created one whose id is not known. */
  #created: ScheduleRecord["id"] | null | undefined;
  /** The sentence of a failure, once the run has created a schedule: which one to delete. */
  #leftover: Pick<TenantError, "key" | "params"> | undefined;

  constructor(
    private readonly wanted: Wanted,
    private readonly tools: RunTools,
  ) {}

  async run(isPlan: boolean): Promise<JobResult> {
    const { enabled, days, name } = this.wanted;
    const summary = { name, enabled, days };
    try {
      const before = await this.#readOnly();
      const isThere = before !== null && isAsWanted(before, this.wanted);
      const isDone = isPlan || isThere;
      const after = isThere ? before : isPlan ? this.wanted : await this.#apply(before);
      const id = "id" in after ? after.id : !isPlan && this.tools.onlyLogs ? 0 : (before?.id ?? null);
      const action = isThere ? "none" : before ? "replace" : "create";
      const data = { action, changed: !isDone, id, before, after };
      return { ...(this.#last as Answered), data, summary, timings: this.#timings, onlyRead: isDone };
    } catch (error) {
      return { ok: false, error: this.#failure(asTenantError(error)), summary, timings: this.#timings };
    }
  }

  async #apply(before: ScheduleRecord | null): Promise<ScheduleRecord | Wanted> {
    // Log mode: nothing is created, so nothing can be read back.
    if (this.tools.onlyLogs) answered(await this.#send(this.#creation()));
    const after = this.tools.onlyLogs ? this.wanted : await this.#create(before);
    if (before && !this.#hasCreated(before)) {
      this.#leftover = { key: "ensure.oldLeft", params: { id: before.id, created: this.#created ?? "" } };
      await this.#delete(before);
    }
    return after;
  }

  /** Whether the service has answered the request to create with this one: it may have changed what was there. */
  #hasCreated({ id }: ScheduleRecord): boolean {
    return `${this.#created}` === `${id}`;
  }

  /**
   * The schedule with the name. Only the user can decide which of several to keep.
   * @throws TenantError ERR_REJECTED
   */
  async #readOnly(): Promise<ScheduleRecord | null> {
    const found = await this.#read();
    if (found.length <= 1) return found[0] ?? null;
    const params = { name: maskNumbers(this.wanted.name), ids: found.map(({ id }) => id).join(", ") };
    const facts = { sent: "yes", key: "ensure.several", params } as const;
    throw new TenantError("ERR_REJECTED", "parse", facts);
  }

  async #read(): Promise<readonly ScheduleRecord[]> {
    const { data } = answered(await schedulesNamed(this.wanted.name, (request) => this.#send(request)));
    const records = data as readonly unknown[];
    if (records.every(isRecord)) return records;
    throw this.#unexpected("scheduleUnreadable");
  }

  /** Creates the schedule and reads it back. */
  async #create(before: ScheduleRecord | null): Promise<ScheduleRecord> {
    const result = await this.#send(this.#creation());
    if (!result.ok && result.error.outcome !== "unknown") throw result.error;
    this.#created = null;
    const id: unknown = result.ok ? Object(result.data).id : undefined;
    if (!isRecord({ id, name: "" })) return this.#findCreated(before, result);
    this.#created = id as ScheduleRecord["id"];
    const isNew = !before || !this.#hasCreated(before);
    if (isNew) this.#leftover = { key: "ensure.newLeft", params: { id: this.#created } };
    const { data } = answered(await this.#send(requestFor(operations.readBusinessHour, { id })));
    if (!isRecord(data) || `${data.id}` !== `${id}` || data.name !== this.wanted.name) {
      this.#leftover = { key: "ensure.renamed", params: { id: this.#created } };
      throw this.#unexpected("ensure.renamed");
    }
    if (isAsWanted(data, this.wanted)) return data;
    if (!isNew) {
      this.#created = null;
      throw this.#unexpected("ERR_BAD_RESPONSE", { excerpt: excerptOf(data) });
    }
    await this.#delete(data);
    this.#created = undefined;
    throw this.#unexpected("ensure.differs");
  }

  /** Finds what a request has created whose answer is lost, or does not say. */
  async #findCreated(before: ScheduleRecord | null, lost: JobResult): Promise<ScheduleRecord> {
    const error = lost.ok ? this.#unexpected("ERR_BAD_RESPONSE", { excerpt: excerptOf(lost.data) }) : lost.error;
    const found = await this.#read().catch(() => {
      throw error;
    });
    const [created, ...more] = found.filter(({ id }) => `${id}` !== `${before?.id}`);
    if (!created || more.length > 0 || !isAsWanted(created, this.wanted)) throw error;
    this.#created = created.id;
    return created;
  }

  async #delete({ id }: ScheduleRecord): Promise<void> {
    const result = await this.#send(requestFor(operations.deleteBusinessHour, { id: `${id}` }));
    // Somebody else has deleted it.
    const isGone = !result.ok && result.error.key === "noSuchSchedule";
    if (!isGone) answered(result);
  }

  #creation(): Request {
    const { name, enabled, days } = this.wanted;
    return requestFor(operations.createBusinessHour, { name, enabled, days });
  }

  async #send(request: Request): Promise<JobResult> {
    const result = await this.tools.send(request);
    this.#timings = sum(this.#timings, result.timings);
    if (result.ok) this.#last = result;
    return result;
  }

  #unexpected(key: TenantError["key"], params: TenantError["params"] = {}): TenantError {
    const all = { name: maskNumbers(this.wanted.name), ...params };
    const facts = { sent: "yes", outcome: "not-applied", key, params: all } as const;
    return new TenantError("ERR_BAD_RESPONSE", "parse", facts);
  }

  /** Returns what a step's failure means for the whole, and what it leaves behind. */
  #failure(error: TenantError): TenantError {
    if (this.#created === undefined) return error;
    const { code, phase, details } = error;
    const { key, params } = this.#leftover ?? error;
    const facts = { ...details, created: this.#created, key, params };
    return new TenantError(code, phase, { ...facts, sent: "yes", outcome: "unknown", retryable: false });
  }
}

/** @throws TenantError of a request that failed */
function answered(result: JobResult): Answered {
  if (result.ok) return result;
  throw (result as Failed).error;
}

function excerptOf(data: unknown): string {
  return maskNumbers(JSON.stringify(data) ?? "").slice(0, 80);
}

/** Whether the value has an id that can be used in a path. */
function isRecord(value: unknown): value is ScheduleRecord {
  const { id, name } = Object(value) as Partial<ScheduleRecord>;
  return (typeof id === "number" || typeof id === "string") && /^\d{1,18}$/.test(`${id}`) && typeof name === "string";
}

/** Whether the tenant's schedule is enabled and open as wanted. One that cannot be read completely is not. */
function isAsWanted(record: ScheduleRecord, { enabled, days }: Wanted): boolean {
  const given = attempt(() => readGivenSchedule(record));
  return given !== undefined && !given.skipped && given.enabled === enabled && sameOpenings(given.days, days);
}
