import type { Entry } from "../entry";
import type { HeldEntry } from "../store";
import type { Recent, Taken, Use } from "./recent";
import { storedEntry } from "./stored-entry";

const AT_ONCE = 200;

/** The state of an instance, and of the group as far as it knows it. */
interface Held {
  readonly held: Iterable<HeldEntry>;
  readonly takenOf: (entry: Entry) => Taken;
  /** Ids of entries of which it is not known whether they were accepted. */
  readonly asked: Iterable<string>;
  readonly restored: ReadonlySet<string>;
  readonly keys: Iterable<Use>;
  readonly records: ReadonlyMap<string, string>;
  readonly recent: Recent;
  readonly settings: object;
}

/** The parts that `rewrite.lua` writes down again, as JSON. All but the entries is in the last one. */
export function rewritten({ held, takenOf, asked, restored, keys, records, recent, settings }: Held): string[] {
  const entries = [...held].map(({ entry, hasBegun, isDue, isHeldBack }) => {
    const { keys, at } = takenOf(entry);
    const state = hasBegun ? "begun" : isHeldBack ? "heldBack" : "waiting";
    return [entry.id, state, storedEntry({ ...entry, keys, at, ...(isDue && { isDue }) }), at];
  });
  const nothing = {
    entries: [],
    asked: [],
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
      asked: [...asked],
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
