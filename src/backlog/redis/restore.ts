import type { Cut, Entry, Outcome } from "../entry";
import type { RestoredState } from "../store";
import type { Recent } from "./recent";
import { readEntry } from "./stored-entry";

const AT_ONCE = 200;
const OUTCOMES: ReadonlySet<string> = new Set<Outcome>(["applied", "rejected", "not-applied", "unknown"]);

/** The state of the store that restoring changes. */
interface Restoring {
  readonly ask: (...args: (string | number)[]) => Promise<string[]>;
  readonly restored: Set<string>;
  readonly records: Map<string, string>;
  /** Records that Redis may still show, because their removal is under way. */
  readonly removing: ReadonlySet<string>;
  readonly recent: Recent;
  readonly onNote: (name: string, note: unknown) => void;
  readonly onRestored: (left: RestoredState) => void;
}

/**
 * Restores what a gone instance left, step by step: each request confirms what the answer before it has restored, and is sent
 * before any of that begins.
 */
export async function restore(
  gone: string,
  { ask, restored, records, removing, recent, onNote, onRestored }: Restoring,
): Promise<void> {
  let answer = await ask(gone, AT_ONCE);
  if (answer.length > 1) recent.add("gone", gone);
  while (answer.length > 1) {
    const left = { waiting: [] as Entry[], begun: [] as Entry[], settled: [] as RestoredState["settled"][number][] };
    const names = new Map<string, unknown>();
    const lateRecords: string[] = [];
    const ended = new Set(recent.list("ended"));
    const notes: string[][] = [];
    const done: string[] = [];
    let stoppedForMs = 0;
    for (let n = 0; n < answer.length; n += 3) {
      const [state = "", id = "", value = ""] = answer.slice(n, n + 3);
      if (state === "stopped") stoppedForMs = Number(id);
      else if (state === "note") {
        done.push(state, id);
        notes.push(id.split("\n"));
      } else if (state === "record" || state === "lateRecord") {
        done.push("record", id);
        // The request that confirmed it was lost, or Redis has forgotten it.
        if (records.has(id) || removing.has(id)) continue;
        const name = JSON.parse(id) as string;
        records.set(id, value);
        names.set(name, JSON.parse(value));
        if (state === "lateRecord") lateRecords.push(name);
      } else {
        done.push(ended.has(id) ? "ended" : "entry", id);
        if (restored.has(id) || ended.has(id)) continue;
        restored.add(id);
        const entry = readEntry(id, value);
        if (state === "waiting" || state === "begun") left[state].push(entry);
        else if (state === "heldBack") left.waiting.push({ ...entry, heldBack: true });
        else if (OUTCOMES.has(state)) left.settled.push({ entry, outcome: state as Outcome });
        else left.settled.push({ entry, outcome: "not-applied", cut: state as Cut });
      }
    }
    const next = ask(gone, AT_ONCE, ...done);
    onRestored({ ...left, records: names, lateRecords, stoppedForMs });
    for (const [, name = "", ...note] of notes) onNote(JSON.parse(name) as string, JSON.parse(note.join("\n")));
    answer = await next;
  }
}
