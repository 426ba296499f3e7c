import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The records of processes about their entries. */
export interface Ledger {
  readonly accepted: number;
  readonly placed: number;
  readonly placedTwice: readonly string[];
  /** Before their date. */
  readonly placedEarly: readonly string[];
  readonly toldTwice: readonly string[];
  /** Accepted, and without a result. */
  readonly open: readonly string[];
  /** With an unknown outcome. */
  readonly unknown: number;
  /** With a result that may have been delivered before. */
  readonly untold: number;
  /** Lines of a journal that could not be read. */
  readonly damaged: number;
}

export function readLedger(folder: string): Ledger {
  const file = join(folder, "ledger");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const notes = lines.map((line) => {
    const [what = "", id = "", ...more] = line.split(" ");
    return { what, id, more: more.join(" ") };
  });
  const ids = (wanted: string) => notes.filter(({ what }) => what === wanted).map(({ id }) => id);
  const tellings = notes.filter(({ what }) => what === "told");
  // A result that was being delivered at a kill is not delivered again, but logged: it may have been lost.
  const named = tellings.filter(({ more }) => more.includes('"unreported"'));
  const told = tellings.filter((telling) => !named.includes(telling)).map(({ id }) => id);
  const ended = new Set(tellings.map(({ id }) => id));
  const [accepted, placed] = [ids("accepted"), ids("placed")];
  return {
    accepted: accepted.length,
    placed: placed.length,
    placedTwice: repeated(placed),
    placedEarly: ids("early"),
    toldTwice: repeated(told),
    open: accepted.filter((id) => !ended.has(id)),
    unknown: tellings.filter(({ more }) => more.includes('"lost"')).length,
    untold: named.length,
    damaged: ids("damaged").reduce((sum, count) => sum + Number(count), 0),
  };
}

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}
