import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../../../src/backlog";
import { Contents } from "../../../src/backlog/file/contents";
import { lineOf, linesOf, numberOf, recordOf } from "../../../src/backlog/file/line";
import type { Record as JournalRecord } from "../../../src/backlog/file/record";
import { eventually } from "./eventually";

/** The journals in a folder. */
export function journalsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".journal"));
  return names.map((name) => join(folder, name));
}

/** The journal in a folder that was written last: suites share a user folder. */
export function journalIn(folder: string): string {
  const writtenAt = (file: string) => statSync(file).mtimeMs;
  const [file] = [...journalsIn(folder)].sort((a, b) => writtenAt(b) - writtenAt(a));
  if (file === undefined) throw new Error(`no journal in ${folder}`);
  return file;
}

/** Returns what a journal says, in order and without repetitions. */
export function recordsOf(file: string): readonly JournalRecord[] {
  const lines = [...linesOf(readFileSync(file))].map(({ line }) => [numberOf(line), recordOf(line)] as const);
  const byNumber = [...new Map(lines.filter(([, record]) => record))].sort(([a], [b]) => a - b);
  return byNumber.map(([, record]) => record as JournalRecord);
}

/** Changes a journal while no process has it. */
export function rewriteJournal(file: string, change: (record: JournalRecord) => readonly JournalRecord[]): void {
  writeFileSync(file, Buffer.concat(recordsOf(file).flatMap(change).map(lineOf)));
}

/** Returns what a journal keeps. */
function contentsOf(file: string): Contents {
  const contents = new Contents();
  for (const record of recordsOf(file)) contents.apply(record);
  return contents;
}

/** The message ids of the entries that a journal keeps. */
export const keptIn = (file: string) => [...contentsOf(file).entries.values()].map(({ entry }) => messageOf(entry));

/** The names of the incidents that a journal keeps, or of those among them whose JSON has a text. */
export const incidentsIn = (file: string, text = "") =>
  [...contentsOf(file).values].flatMap(([name, value]) => (JSON.stringify(value).includes(text) ? name : []));

/** The message ids of all entries that a journal has had, by entry id. */
export function acceptedIn(file: string): ReadonlyMap<string, string> {
  const accepts = recordsOf(file).flatMap((record) => ("accept" in record ? [record.accept] : []));
  return new Map(accepts.map((entry) => [entry.id, messageOf(entry)]));
}

/** Waits until a folder's journals have the calls with these message ids. */
export async function untilAccepted(folder: string, ...ids: readonly string[]): Promise<void> {
  await eventually(() => {
    const known = new Set(journalsIn(folder).flatMap((file) => [...acceptedIn(file).values()]));
    return ids.every((id) => known.has(id)) || undefined;
  });
}

/** Makes a journal look as if its process had stopped that much earlier. */
export function age(file: string, ms: number): void {
  rewriteJournal(file, (record) => ["v" in record ? { ...record, wall: record.wall - ms } : record]);
}

function messageOf({ content }: Entry): string {
  const { job } = JSON.parse(String(content)) as { readonly job: { readonly id: string } };
  return job.id;
}
