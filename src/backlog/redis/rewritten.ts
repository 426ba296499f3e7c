import type { Entry } from "../entry";
import type { Recent, Taken, Use } from "./recent";
import { storedEntry } from "./stored-entry";

const AT_ONCE = 200;

/** What an instance holds, and what it knows of the group. */
interface Held {
  readonly held: Iterable<{ readonly entry: Entry; readonly hasBegun: boolean }>;
  readonly taken: ReadonlyMap<string, Taken>;
  readonly restored: ReadonlySet<string>;
  readonly keys: Iterable<Use>;
  readonly records: ReadonlyMap<string, string>;
  readonly recent: Recent;
  readonly settings: object;
}

/** The parts that `rewrite.lua` writes down again, as JSON. All but the entries is in the last one. */
export function rewritten({ held, taken, restored, keys, records, recent, settings }: Held): string[] {
  const entries = [...held].map(({ entry, hasBegun }) => {
    const uses = taken.get(entry.id)?.keys;
    return [entry.id, hasBegun ? 1 : 0, storedEntry(uses ? { ...entry, keys: uses } : entry)];
  });
  const nothing = {
    entries: [],
    restored: [],
    keys: [],
    freed: [],
    records: [],
    cuts: [],
    gone: [],
    settings: { version: 0 },
  };
  const parts: string[] = [];
  while (entries.length > AT_ONCE) parts.push(JSON.stringify({ ...nothing, entries: entries.splice(0, AT_ONCE) }));
  const pending = [...keys].map(({ hash, at, forMs }) => [hash, at, "pending", forMs]);
  parts.push(
    JSON.stringify({
      entries,
      restored: [...restored],
      keys: [...recent.keys(), ...pending],
      freed: recent.freed(),
      records: [...records],
      cuts: recent.list("cut"),
      gone: recent.list("gone"),
      settings,
    }),
  );
  return parts;
}
