import type { Listed } from "../store";
import type { Lease } from "./lease";
import { readEntry } from "./stored-entry";

/** An id with its ticket, and the instance that has it. */
interface Place {
  readonly instance: string;
  readonly id: string;
  readonly ticket: number;
}

/** Entries that are read with one command. */
const AT_ONCE = 500;

/**
 * The waiting entries of a group, in the order in which they will begin: those waiting for their turn, for their date, and until
 * somebody resumes. Not a snapshot: entries that end meanwhile are missing.
 */
export async function listed(lease: Lease, offset: number, limit: number): Promise<Listed[]> {
  const end = offset + limit;
  const each = await Promise.all([lease.instance, ...lease.others].map((instance) => placesOf(lease, instance, end)));
  const page = (["turn", "date", "held-back"] as const)
    .flatMap((waitsFor) => {
      const places = each.flatMap((one) => one[waitsFor]).sort((a, b) => a.ticket - b.ticket);
      return places.map((place) => ({ ...place, waitsFor }));
    })
    .slice(offset, end);
  const values = new Map<string, string | null>();
  for (const instance of new Set(page.map((place) => place.instance))) {
    const ids = page.flatMap((place) => (place.instance === instance ? [place.id] : []));
    while (ids.length > 0) {
      const some = ids.splice(0, AT_ONCE);
      const found = (await lease.read("HMGET", `entries:${instance}`, ...some)) as (string | null)[];
      for (const [n, id] of some.entries()) values.set(id, found[n] ?? null);
    }
  }
  return page.flatMap(({ id, waitsFor }) => {
    const value = values.get(id);
    return value ? [{ entry: readEntry(id, value), waitsFor }] : [];
  });
}

/** @param end how many are needed of each kind */
async function placesOf(lease: Lease, instance: string, end: number): Promise<Record<Listed["waitsFor"], Place[]>> {
  const heldBack = new Set((await lease.read("SMEMBERS", `heldBack:${instance}`)) as string[]);
  const count = String(end + heldBack.size);
  const between = async (from: string, to: string) => {
    const range = [from, to, "BYSCORE", "LIMIT", "0", count, "WITHSCORES"];
    const found = (await lease.read("ZRANGE", `waiting:${instance}`, ...range)) as string[];
    return found.flatMap((id, n) => (n % 2 === 0 ? [{ instance, id, ticket: Number(found[n + 1]) }] : []));
  };
  const now = String(lease.now());
  const [due, dated] = await Promise.all([between("-inf", now), between(`(${now}`, "+inf")]);
  const isHeldBack = ({ id }: Place) => heldBack.has(id);
  return {
    turn: due.filter((place) => !isHeldBack(place)),
    date: dated.filter((place) => !isHeldBack(place)),
    "held-back": [...due, ...dated].filter(isHeldBack),
  };
}
