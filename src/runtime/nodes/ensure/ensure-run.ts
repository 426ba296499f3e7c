import { maskNumbers } from "../../../fields";
import {
  type Answered,
  type Failed,
  type JobResult,
  NO_TIMINGS,
  operations,
  type Request,
  requestFor,
  TenantError,
} from "../../../tenant";
import { asTenantError } from "../../node-red/texts";
import { schedulesNamed } from "../../schedules/find-schedule";
import { sum } from "../../schedules/pages";
import type { RunTools } from "../action/declaration";
import { type EnsureMemory, keepMemory, memoryOf } from "./ensure-memory";
import { isAsWanted, isRecord, type ScheduleRecord, type Wanted } from "./record";

/** What became of the schedule. */
interface Settled {
  readonly action: "none" | "create" | "replace";
  readonly before: ScheduleRecord | null;
  /** As read, or as it is planned. */
  readonly after: ScheduleRecord | Wanted;
}

/** What the tenant has of the name. */
interface Found {
  readonly keep: ScheduleRecord | undefined;
  /** What earlier runs should have deleted, or should not have left. */
  readonly extras: readonly ScheduleRecord[];
}

/**
 * Gives the tenant one schedule. The new one is created and read back before the old one is deleted, so that there is one at
 * any moment. After a lost answer the run reads what has become of its request; it never sends one to create again.
 */
export class EnsureRun {
  readonly #wanted: Wanted;
  readonly #tools: RunTools;
  readonly #key: string;
  #timings = NO_TIMINGS;
  #last: Answered | undefined;
  /** Whether something is, or may be, other than it was before the run. */
  #changed = false;

  /** @param key under which a run that cannot finish leaves its memory */
  constructor(wanted: Wanted, tools: RunTools, key: string) {
    this.#wanted = wanted;
    this.#tools = tools;
    this.#key = key;
  }

  async run(isPlan: boolean): Promise<JobResult> {
    const { enabled, days, name } = this.#wanted;
    const summary = { name, enabled, days };
    try {
      const found = await this.#read();
      const { action, before, after } = isPlan ? this.#plan(found) : await this.#apply(found);
      const changed = !isPlan && action !== "none";
      const id = "id" in after ? after.id : changed && this.#tools.onlyLogs ? 0 : (before?.id ?? null);
      const data = { action, changed, id, before, after };
      return { ...(this.#last as Answered), data, summary, timings: this.#timings, onlyRead: !changed };
    } catch (error) {
      return { ok: false, error: this.#failure(asTenantError(error)), summary, timings: this.#timings };
    }
  }

  #plan(found: readonly ScheduleRecord[]): Settled {
    const { keep, extras } = this.#sorted(found);
    const isDone = keep && this.#isFit(keep);
    if (isDone && extras.length === 0) return { action: "none", before: keep, after: keep };
    const before = (isDone ? extras[0] : keep) ?? null;
    return { action: before ? "replace" : "create", before, after: this.#wanted };
  }

  async #apply(found: readonly ScheduleRecord[]): Promise<Settled> {
    if (this.#tools.onlyLogs) return this.#log(this.#plan(found));
    const { keep, extras } = this.#sorted(found);
    this.#adopt(found);
    if (keep && this.#isFit(keep)) {
      // Reading has shown the one to keep.
      for (const each of extras) await this.#delete(each);
      this.#finish(keep);
      const [old] = extras;
      return { action: old ? "replace" : "none", before: old ?? keep, after: keep };
    }
    const [after, ...more] = await this.#create(found);
    for (const each of [...found, ...more]) await this.#delete(each);
    this.#finish(after);
    return { action: keep ? "replace" : "create", before: keep ?? null, after };
  }

  /** Log mode: nothing is created, so nothing can be read back. */
  async #log(planned: Settled): Promise<Settled> {
    if (planned.action === "none") return planned;
    answered(await this.#send(this.#creation()));
    if (planned.before) await this.#delete(planned.before);
    return planned;
  }

  /** Reads the schedules of the name. */
  async #read(): Promise<ScheduleRecord[]> {
    const { data } = answered(await schedulesNamed(this.#wanted.name, (request) => this.#send(request)));
    // A schedule may be on two pages, if the list has changed between them.
    const byId = new Map((data as readonly unknown[]).map((each) => [String(Object(each).id), each]));
    const records = [...byId.values()];
    if (records.every(isRecord)) return records;
    throw this.#unexpected("scheduleUnreadable");
  }

  /**
   * Which schedule to keep. More than one is nobody's but the user's to decide on, unless an earlier run has left them.
   * @throws TenantError ERR_REJECTED
   */
  #sorted(found: readonly ScheduleRecord[]): Found {
    if (found.length <= 1) return { keep: found[0], extras: [] };
    const memory = memoryOf(this.#key);
    const known = found.filter(({ id }) => memory.before.has(`${id}`));
    const ours = found.filter((each) => this.#isOurs(each, memory));
    const all = [...known, ...ours];
    if (known.length + ours.length < found.length) {
      const params = { name: maskNumbers(this.#wanted.name), ids: found.map(({ id }) => id).join(", ") };
      const facts = { sent: "yes", outcome: "rejected", retryable: false, key: "ensure.several", params } as const;
      throw new TenantError("ERR_REJECTED", "parse", facts);
    }
    const keep = all.findLast((each) => this.#isFit(each)) ?? all[0];
    return { keep, extras: all.filter((each) => each !== keep) };
  }

  /** Whether the schedule is as wanted, and stays. */
  #isFit(record: ScheduleRecord): boolean {
    return isAsWanted(record, this.#wanted) && !memoryOf(this.#key).pendingDeletes.has(`${record.id}`);
  }

  /** Whether an earlier run has created the schedule. */
  #isOurs(record: ScheduleRecord, { before, created, wanted }: EnsureMemory): boolean {
    const id = `${record.id}`;
    if (wanted.length === 0 || before.has(id)) return false;
    return created.has(id) || [this.#wanted, ...wanted].some((each) => isAsWanted(record, each));
  }

  /** Takes note of created schedules whose answers were lost and that have been found since. */
  #adopt(found: readonly ScheduleRecord[]): void {
    const memory = memoryOf(this.#key);
    for (const each of found) {
      if (memory.created.has(`${each.id}`) || !this.#isOurs(each, memory)) continue;
      memory.created.set(`${each.id}`, each.id);
      memory.unanswered = Math.max(0, memory.unanswered - 1);
    }
  }

  /**
   * Creates the schedule and reads it back.
   * @param found what is there of the name
   * @returns the new schedule, and further ones, if requests of earlier runs have arrived meanwhile
   */
  async #create(found: readonly ScheduleRecord[]): Promise<[ScheduleRecord, ...ScheduleRecord[]]> {
    const isChanged = this.#changed;
    const last = memoryOf(this.#key);
    const ids = found.map((each) => `${each.id}`);
    const created = new Map([...last.created].filter(([id]) => ids.includes(id)));
    const memory: EnsureMemory = {
      before: new Set(ids.filter((id) => !created.has(id))),
      wanted: [...last.wanted.slice(1 - MOST_WANTED), this.#wanted],
      created,
      pendingDeletes: new Set(last.pendingDeletes),
      unanswered: last.unanswered + 1,
    };
    // Before it is sent: whatever happens then, the next run knows.
    keepMemory(this.#key, memory);
    const result = await this.#send(this.#creation());
    this.#changed ||= result.ok || result.error.outcome === "unknown";
    if (!result.ok && result.error.outcome !== "unknown") {
      memory.unanswered -= 1;
      keepMemory(this.#key, memory);
      throw result.error;
    }
    const id: unknown = result.ok ? Object(result.data).id : undefined;
    if (!isRecord({ id, name: "" })) return this.#findCreated(ids, result);
    memory.unanswered -= 1;
    memory.created.set(`${id}`, id as ScheduleRecord["id"]);
    const { data } = answered(await this.#send(requestFor(operations.readBusinessHour, { id })));
    if (!isRecord(data) || `${data.id}` !== `${id}` || data.name !== this.#wanted.name)
      throw this.#unexpected("ensure.renamed", { id: `${id}` });
    if (isAsWanted(data, this.#wanted)) return [data];
    await this.#delete(data);
    this.#changed = isChanged;
    throw this.#unexpected("ensure.differs");
  }

  /** Finds what a request has created whose answer is lost, or does not say. */
  async #findCreated(before: readonly string[], lost: JobResult): Promise<[ScheduleRecord, ...ScheduleRecord[]]> {
    const error = lost.ok ? this.#unexpected("ERR_BAD_RESPONSE", { excerpt: excerptOf(lost.data) }) : lost.error;
    const found = await this.#read().catch(() => {
      throw error;
    });
    const fresh = found.filter(({ id }) => !before.includes(`${id}`));
    const first = fresh.find((each) => isAsWanted(each, this.#wanted));
    if (!first) throw error;
    this.#adopt(found);
    const { created } = memoryOf(this.#key);
    return [first, ...fresh.filter((each) => each !== first && created.has(`${each.id}`))];
  }

  async #delete(record: ScheduleRecord): Promise<void> {
    const id = `${record.id}`;
    const result = await this.#send(requestFor(operations.deleteBusinessHour, { id }));
    // Somebody else has deleted it.
    const isGone = !result.ok && result.error.details.httpStatus === 404 && result.error.key !== "notService";
    const isUnknown = !result.ok && result.error.outcome === "unknown";
    const memory = memoryOf(this.#key);
    this.#changed ||= result.ok || isUnknown;
    if (isUnknown) memory.pendingDeletes.add(id);
    if (!isGone) answered(result);
    if (memory.created.delete(id)) keepMemory(this.#key, memory);
  }

  /** The schedule is as wanted. What is left of the memory is what may still arrive. */
  #finish({ id }: ScheduleRecord): void {
    const { wanted, unanswered } = memoryOf(this.#key);
    const before = new Set([`${id}`]);
    keepMemory(this.#key, { before, wanted, unanswered, created: new Map(), pendingDeletes: new Set() });
  }

  #creation(): Request {
    const { name, enabled, days } = this.#wanted;
    return requestFor(operations.createBusinessHour, { name, enabled, days });
  }

  async #send(request: Request): Promise<JobResult> {
    const result = await this.#tools.send(request);
    this.#timings = sum(this.#timings, result.timings);
    if (result.ok) this.#last = result;
    return result;
  }

  #unexpected(key: TenantError["key"], params: TenantError["params"] = {}): TenantError {
    const all = { name: maskNumbers(this.#wanted.name), ...params };
    const facts = { sent: "yes", outcome: "not-applied", retryable: false, key, params: all } as const;
    return new TenantError("ERR_BAD_RESPONSE", "parse", facts);
  }

  /** What a step's failure means for the whole, and what it leaves behind. */
  #failure(error: TenantError): TenantError {
    const { code, phase, sent, outcome, retryable, key, params, details } = error;
    const memory = memoryOf(this.#key);
    const id = [...memory.created.values()].at(-1);
    const created = id ?? (memory.unanswered > 0 ? null : undefined);
    const facts = { ...details, ...(created !== undefined && { created }) };
    if (!this.#changed) return new TenantError(code, phase, { ...facts, sent, outcome, retryable, key, params });
    const canFinish = retryable || outcome === "unknown" || details.httpStatus === 404;
    const causeOfStep = id === undefined || key.startsWith("ensure.") ? { key, params } : UNFINISHED(id);
    return new TenantError(code, phase, {
      ...facts,
      sent: "yes",
      outcome: "unknown",
      retryable: canFinish,
      ...causeOfStep,
    });
  }
}

/** How many unanswered requests of one name are recognized when they arrive late. */
const MOST_WANTED = 10;

const UNFINISHED = (id: number | string) => ({ key: "ensure.unfinished", params: { id } }) as const;

/** @throws TenantError of a request that failed */
function answered(result: JobResult): Answered {
  if (result.ok) return result;
  throw (result as Failed).error;
}

function excerptOf(data: unknown): string {
  return maskNumbers(JSON.stringify(data) ?? "").slice(0, 80);
}
