import { setImmediate as immediate } from "node:timers/promises";
import { type Key, MAX_KEYS } from "../../../backlog";
import { asTenantError, notSent, type TenantClient, type TenantError, tryGuard, tryKey } from "../../../client";
import { calledTooOften } from "../../../client/queue/refusals";
import { ValueError } from "../../../fields";
import type { List } from "./reading/read-list";
import { type Call, type RowReader, takenKeys } from "./row-reader";
import { FOR_THE_MOMENT } from "./settings";

/** Work is done for so long without letting the process do anything else. Milliseconds. */
const SLICE_MS = 10;
/** Keys are asked for so many rows at the same time. */
const AT_ONCE = 50;

export interface Look {
  readonly total: number;
  readonly good: number;
  /** The errors of rows that are not called, by index from 0. */
  readonly refused: ReadonlyMap<number, TenantError>;
  /** Good rows whose number lacks its zero, by index from 0. */
  readonly withoutZero: readonly number[];
}

/**
 * Judges each row as a call-out would be judged now: nothing is stored, and nobody is called. Lets the process do other things
 * in between. Never rejects for a row.
 * @param rows read as the node's dialog says
 * @param onlyLogs what is not sent cannot be sent twice
 */
export async function look(list: List, rows: RowReader, client: TenantClient, onlyLogs: boolean): Promise<Look> {
  const refused = new Map<number, TenantError>();
  const seen = new Set<string>();
  /** Uses of the keys by which calls to a number are counted. */
  const uses = new Map<string, number>();
  const withoutZero: number[] = [];
  let good = 0;
  let until = performance.now() + SLICE_MS;
  const breathe = async () => {
    if (performance.now() < until) return;
    await immediate();
    until = performance.now() + SLICE_MS;
  };
  for (let from = 0; from < list.rows.length; from += AT_ONCE) {
    const calls = await readSlice(list, rows, from, Math.min(from + AT_ONCE, list.rows.length), breathe);
    const rulings = await Promise.all(calls.map((call) => ruling(call, client, onlyLogs)));
    for (const [at, call] of calls.entries()) {
      const { blocked, taken } = rulings[at] ?? NO_RULING;
      const error =
        call instanceof Error
          ? asTenantError(call)
          : (lasting(blocked) ?? lasting(await tooOften(call)) ?? lasting(taken) ?? twice(call));
      if (error) refused.set(from + at, error);
      else good += 1;
      if (error || call instanceof Error) continue;
      count(call);
      if (call.lacksZero) withoutZero.push(from + at);
    }
  }
  return { total: list.rows.length, good, refused, withoutZero };

  /** Refuses a row if, with the rows before it, its number would be called too often. */
  async function tooOften(call: Call): Promise<TenantError | undefined> {
    for (const share of sharesOf(call, client)) {
      const [used, most] = [uses.get(share.hash) ?? 0, share.uses ?? 1];
      if (used >= most) return calledTooOften(share.forMs);
      const refusal = used > 0 && (await tryKey(client, { ...share, uses: most - used }));
      if (refusal) return refusal;
    }
    return undefined;
  }

  function twice({ keys }: Call): TenantError | undefined {
    return keys.some(({ hash }) => seen.has(hash)) ? notSent("ERR_DUPLICATE", "queue") : undefined;
  }

  /** A row that is refused makes no later one a duplicate. */
  function count(call: Call): void {
    for (const { hash } of sharesOf(call, client)) uses.set(hash, (uses.get(hash) ?? 0) + 1);
    for (const { hash } of call.keys) seen.add(hash);
  }
}

/** A list leaves the other requests of its tenant this part of the keys. */
const LEFT_KEYS = MAX_KEYS / 4;
/** Rows that are read to find out how many keys one takes. */
const SAMPLED = 20;

/**
 * Refuses a list that would take too many keys of its tenant: as many for each row as for the first that can be read.
 * Rejects with ValueError on `list`, or with TenantError.
 * @param before rows of other lists, which will take keys, too
 */
export async function assertKeys(list: List, rows: RowReader, client: TenantClient, before: number): Promise<void> {
  const sample = { ...list, rows: list.rows.slice(0, SAMPLED) };
  const calls = await readSlice(sample, rows, 0, sample.rows.length, async () => {});
  const call = calls.find((each) => !(each instanceof Error));
  if (call === undefined || call instanceof Error) return;
  const each = takenKeys(call).length + sharesOf(call, client).length;
  const free = (await client.ask((backlog) => backlog.keys.free())) ?? MAX_KEYS;
  if (free - (before + list.rows.length) * each < LEFT_KEYS) throw new ValueError("input.list.tooManyKeys", "list");
}

/** The keys of which a call takes a use, because calls to its number are counted. */
function sharesOf({ request }: Call, { options }: TenantClient): readonly Key[] {
  return options.guard?.rateLimitKeys({ action: "", request }) ?? [];
}

/** The calls of some rows, or why a row cannot be read. */
async function readSlice(
  { rows, problems }: List,
  reader: RowReader,
  from: number,
  to: number,
  breathe: () => Promise<void>,
) {
  const calls: (Call | Error)[] = [];
  for (let index = from; index < to; index += 1) {
    const problem = problems.get(index);
    try {
      const row: unknown = problem ? undefined : JSON.parse(rows[index] ?? "null");
      calls.push(problem ?? (await reader.read({ payload: row, row })));
    } catch (error) {
      calls.push(error as Error);
    }
    await breathe();
  }
  return calls;
}

const NO_RULING: { readonly blocked?: TenantError | undefined; readonly taken?: TenantError | undefined } = {};

/** Finds out what refuses a call for reasons outside of its list. */
async function ruling(call: Call | Error, client: TenantClient, onlyLogs: boolean): Promise<typeof NO_RULING> {
  if (call instanceof Error) return NO_RULING;
  const { request, keys } = call;
  const blocked = await tryGuard(client, { action: "", request });
  const refusals = onlyLogs || lasting(blocked) ? [] : await Promise.all(keys.map((key) => tryKey(client, key)));
  return { blocked, taken: refusals.find((refusal) => refusal !== undefined) };
}

/** Leaves out what is wrong for the moment: it refuses no row. */
function lasting(error: TenantError | undefined): TenantError | undefined {
  return error && FOR_THE_MOMENT.has(error.code) ? undefined : error;
}
