import { performance } from "node:perf_hooks";
import type { Acceptance, Cut, Entry, FirstUse } from "../entry";
import { LEAD_MS, type Leave, type WaitingEntry } from "../store";
import type { Health } from "./health";
import type { Group, Lease } from "./membership";

/** The part of an entry that the functions in Redis need, and what else is not opaque. */
type Head = Omit<Entry, "id" | "content" | "heldBack">;

/** An entry as it is kept: head, line feed, content. Redis keeps each key with the use that it has got. */
export function storedEntry({ id: _id, heldBack: _heldBack, content, ...head }: Entry): string {
  return `${JSON.stringify(head)}\n${content}`;
}

export function readEntry(id: string, value: string): Entry {
  const cut = value.indexOf("\n");
  const { keys, ...head } = JSON.parse(value.slice(0, cut)) as Head;
  // An empty list comes back from Redis as an object.
  const held = keys && Object.values(keys);
  return { id, ...head, ...(held && { keys: held }), content: value.slice(cut + 1) };
}

/** Reads what `accept` and `key` have answered: a kind, and the first use of a key or when there is a use. */
export function acceptanceOf(answer: readonly unknown[]): Acceptance {
  const [kind, use, replaced] = answer as (string | undefined)[];
  if (kind === "duplicate") {
    const { at, outcome } = JSON.parse(use ?? "{}") as { at: number; outcome: FirstUse["outcome"] };
    return { kind, first: { at: new Date(at).toISOString(), outcome } };
  }
  if (kind === "usedUp") return { kind, retryAfterMs: Number(use) };
  if (kind === "inherited") return { kind: "accepted", inherited: true };
  if (kind === "accepted") return { kind, ...(replaced && { replaced }) };
  if (kind === "full" || kind === "keysFull" || kind === "decided") return { kind };
  return { kind: "failed", reason: kind === "recovering" ? RECOVERING : (kind ?? "no answer") };
}

export const RECOVERING = "Redis has lost its latest changes, and they are being written again";

/** Redis is asked again after this pause when it does not know an entry. Milliseconds. */
const ASK_AGAIN_MS = 100;

/** An answer to `begin` that took longer is not acted on: what it grants may have ended since, at another instance. Milliseconds. */
const LATE_MS = 2000;

/** Answers to `begin` after which the lease has to be renewed. */
const UNSURE: ReadonlySet<string> = new Set(["forgotten", "absent", "recovering", "unknown"]);

/** Asks whether entries may begin: those of one moment together, and one request after the other, so that they begin in order. */
export class Starts {
  #waiting: { readonly entry: Entry; readonly waits: boolean; readonly resolve: (leave: Leave) => void }[] = [];
  /** There while something is being asked. */
  asking: Promise<void> | undefined;
  /** Redis did not know this one when it was asked last. One that was just refused is not asked for again. */
  #unknown: string | undefined;

  /** @param ready resolves when Redis can be asked */
  constructor(
    private readonly group: Group,
    private readonly health: Health,
    private readonly ready: () => Promise<void>,
  ) {}

  begin(entry: Entry, waits: boolean): Promise<Leave> {
    return new Promise((resolve) => {
      this.#waiting.push({ entry, waits, resolve });
      this.asking ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    // Those of the same tick are asked for together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#begin();
    this.asking = undefined;
  }

  async #begin(): Promise<void> {
    await this.ready();
    const asked = this.#waiting.splice(0);
    const ids = asked.flatMap(({ entry, waits }) => [entry.id, waits ? "1" : ""]);
    const askedAt = performance.now();
    const found = (await this.health.ask("begin", LEAD_MS, ...ids).catch(() => [])) as string[];
    const answers = performance.now() - askedAt > LATE_MS ? [] : found;
    let refusal: Leave | undefined;
    for (const [n, { entry, resolve }] of asked.entries()) {
      refusal ??= this.#refusal(entry.id, answers[n]);
      resolve(refusal ?? leaveOf(answers[n] ?? ""));
    }
    // Those that came meanwhile are behind the one that was refused.
    if (refusal) for (const { resolve } of this.#waiting.splice(0)) resolve(refusal);
  }

  /** Returns the reason why an entry and those after it may not begin, if there is one. */
  #refusal(id: string | undefined, answer: string | undefined): Leave | undefined {
    const [, what, wait] = /^(wait|try) (.*)$/.exec(answer ?? "") ?? [];
    if (what === "try") return { tryInMs: Number(wait) };
    if (wait !== undefined && Number(wait) >= 0) return { retryInMs: Number(wait) };
    // Without a lease, another instance may have restored it, and have begun it.
    const isGranted = wait === undefined && answer !== undefined && !UNSURE.has(answer) && this.group.lease.isHeld;
    if (isGranted) return undefined;
    if (answer === "unknown" && id === this.#unknown) this.group.writeAgain();
    this.#unknown = answer === "unknown" ? id : undefined;
    this.group.renewIn(wait === undefined ? ASK_AGAIN_MS : 0);
    return { retryInMs: Number.POSITIVE_INFINITY };
  }
}

/** @param answer milliseconds until the start, or why it ended elsewhere */
function leaveOf(answer: string): Leave {
  const ms = Number(answer);
  if (Number.isNaN(ms)) return { gone: answer as Cut };
  return ms > 0 ? { startInMs: ms } : "begun";
}

/** Settlements in one batch: more would block the process. */
const SETTLED_AT_ONCE = 200;

type Settlement = readonly [id: string, what: string];

/** Writes the outcomes of entries to Redis, in batches, and repeats that until Redis has them. */
export class Settlements {
  /** The settlements that are written with the next function, unless that is full. */
  #next: Settlement[] | undefined;
  /** Resolves when all so far is written. */
  #written = Promise.resolve();

  /** @param onFull an entry whose outcome is unknown is not kept any more, because there are too many */
  constructor(
    private readonly group: Group,
    private readonly onFull: () => void,
  ) {}

  /** Resolves when it is written, or the group is closed. */
  write(...settlements: readonly Settlement[]): Promise<void> {
    for (const settlement of settlements) {
      if (this.#next === undefined || this.#next.length === SETTLED_AT_ONCE) this.#next = this.#begin();
      this.#next.push(settlement);
    }
    return this.#written;
  }

  /** Resolves when all is written, also what comes meanwhile. */
  async end(): Promise<void> {
    for (let written: Promise<void> | undefined; written !== this.#written; ) {
      written = this.#written;
      await written;
    }
  }

  /** A settlement is written after those before it, and never waits for a later one. */
  #begin(): Settlement[] {
    const settlements: Settlement[] = [];
    this.#written = this.#written.then(async () => {
      if (this.#next === settlements) this.#next = undefined;
      const states = ((await this.group.insist("settle", ...settlements.flat())) ?? []) as string[];
      if (states.includes("lost")) this.group.writeAgain();
      if (states.includes("full")) this.onFull();
    });
    return settlements;
  }
}

/** Entries that one function writes down again, or restores. */
export const WRITTEN_AT_ONCE = 200;

/** The tickets of rows of lists come after all instants, as in `prelude.lua`. */
const ROWS = 4e12;

/**
 * The waiting entries of a group, in the order in which they will begin: those waiting for their turn, for their date, and until
 * somebody resumes. Not a snapshot: entries that end meanwhile are missing.
 */
export async function listed(lease: Lease, offset: number, limit: number): Promise<WaitingEntry[]> {
  const end = offset + limit;
  const each = await Promise.all([lease.instance, ...lease.others].map((instance) => ticketsOf(lease, instance, end)));
  const page = (["turn", "date", "held-back"] as const)
    .flatMap((waitsFor) => {
      const inOrder = each.flatMap((one) => one[waitsFor]).sort((a, b) => a.ticket - b.ticket);
      return inOrder.map((one) => ({ ...one, waitsFor }));
    })
    .slice(offset, end);
  const values = new Map<string, string | null>();
  for (const instance of new Set(page.map((one) => one.instance))) {
    const ids = page.flatMap((one) => (one.instance === instance ? [one.id] : []));
    for (const [id, value] of await lease.readEach(`entries:${instance}`, ids)) values.set(id, value);
  }
  return page.flatMap(({ id, waitsFor }) => {
    const value = values.get(id);
    return value ? [{ entry: readEntry(id, value), waitsFor }] : [];
  });
}

/**
 * The ids that wait at an instance, each with its ticket.
 * @param end how many are needed of each kind
 */
async function ticketsOf(lease: Lease, instance: string, end: number) {
  const heldBack = new Set((await lease.read("SMEMBERS", `heldBack:${instance}`)) as string[]);
  const count = String(end + heldBack.size);
  const between = async (from: string, to: string) => {
    const range = [from, to, "BYSCORE", "LIMIT", "0", count, "WITHSCORES"];
    const found = (await lease.read("ZRANGE", `waiting:${instance}`, ...range)) as string[];
    return found.flatMap((id, n) => (n % 2 === 0 ? [{ instance, id, ticket: Number(found[n + 1]) }] : []));
  };
  const now = String(lease.now());
  const [due, dated, rows] = await Promise.all([
    between("-inf", now),
    between(`(${now}`, `(${ROWS}`),
    between(String(ROWS), "+inf"),
  ]);
  const isHeldBack = ({ id }: { readonly id: string }) => heldBack.has(id);
  return {
    turn: [...due, ...rows].filter((one) => !isHeldBack(one)),
    date: dated.filter((one) => !isHeldBack(one)),
    "held-back": [...due, ...dated, ...rows].filter(isHeldBack),
  };
}
