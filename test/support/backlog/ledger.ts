import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The records of processes about their entries. */
export interface Ledger {
  readonly accepted: number;
  readonly placed: number;
  readonly placedTwice: readonly string[];
  /** Before their date. */
  readonly placedEarly: readonly string[];
  readonly reportedTwice: readonly string[];
  /** Accepted, and without a result. */
  readonly open: readonly string[];
  /** With an unknown outcome. */
  readonly unknown: number;
  /** With a result that may have been delivered before. */
  readonly unreported: number;
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
  const results = notes.filter(({ what }) => what === "reported");
  // A result that was being delivered at a kill is not delivered again, but logged: it may have been lost.
  const named = results.filter(({ more }) => more.includes('"unreported"'));
  const reported = results.filter((result) => !named.includes(result)).map(({ id }) => id);
  const ended = new Set(results.map(({ id }) => id));
  const [accepted, placed] = [ids("accepted"), ids("placed")];
  return {
    accepted: accepted.length,
    placed: placed.length,
    placedTwice: repeated(placed),
    placedEarly: ids("early"),
    reportedTwice: repeated(reported),
    open: accepted.filter((id) => !ended.has(id)),
    unknown: results.filter(({ more }) => more.includes('"lost"')).length,
    unreported: named.length,
    damaged: ids("damaged").reduce((sum, count) => sum + Number(count), 0),
  };
}

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}
