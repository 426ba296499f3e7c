import { oneLine } from "../fields/quote";
import type { Report } from "../workshop/rehearsal/make-report";
import type { Rehearsal } from "../workshop/rehearsal/rehearse";
import { ReportTexts } from "../workshop/report/texts";
import { whyNothing } from "../workshop/report/why";

/** Of one kind. */
const MOST_LINES = 10;

/** The report in a few lines, for a terminal. */
export function summaryOf(rehearsal: Rehearsal): string {
  const { report, nodeRedPath, notes } = rehearsal;
  const { from, until, seed, nodeRed, figures, calls, notPlaced, inputs, requests, outside, errors, more } = report;
  const ends = calls.map(({ phone, outcome }) => phone ?? outcome);
  const codes = notPlaced.map(({ code }) => code ?? "still waiting");
  const responses = inputs.filter(({ status }) => status !== null);
  const lines = [
    `Rehearsed ${minuteOf(from)} to ${minuteOf(until)}, seed ${seed}, Node-RED ${nodeRed} (${nodeRedPath})`,
    ...notes,
    whyNothing(new ReportTexts("en"), rehearsal) ?? [],
    "",
    ...linesOf("calls", [countOf(figures.calls, ends)]),
    ...linesOf("not placed", [countOf(figures.notPlaced, codes)]),
    ...figuresOf(figures),
    ...kindsOf("responses", responses, ({ target, status }) => `${target} ${status}`),
    ...kindsOf("requests", requests, ({ action, target }) => `${action} ${target}`.trim()),
    ...kindsOf("outside", outside, ({ type, node, answered }) => `${type} "${node}"${answered ? ", answered" : ""}`),
    ...kindsOf("errors", errors, ({ node, message }) => `"${node}": ${message}`),
    ...linesOf(
      "more",
      bounded(more.map(({ of, node, times, last }) => `${of} of "${node}": ${times}, the last ${minuteOf(last)}`)),
    ),
  ];
  return `${lines.flat().map(oneLine).join("\n")}\n`;
}

/** An instant to the minute, as a person writes it. */
export function minuteOf(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}

function figuresOf({ busiestMinute, speechSeconds, calledTwice }: Report["figures"]): string[] {
  const { at = "", calls = 0 } = busiestMinute ?? {};
  const busiest = `${minuteOf(at)}, ${calls} ${calls === 1 ? "call" : "calls"}`;
  const twice = bounded(calledTwice.map((each) => `${each.number} (${each.calls})`));
  return [
    ...linesOf("busiest minute", busiestMinute ? [busiest] : []),
    ...linesOf("speech", [`${Math.floor(speechSeconds / 60)} min ${Math.round(speechSeconds % 60)} s`]),
    ...linesOf("called twice", twice.length > 0 ? [twice.join(", ")] : []),
  ];
}

/** Writes a count and its kinds: `12: 9 answered, 3 declined`. */
function countOf(all: number, kinds: readonly string[]): string {
  const counts = counted(kinds).map(([kind, count]) => `${count} ${kind}`);
  return counts.length > 0 ? `${all}: ${counts.join(", ")}` : String(all);
}

/** Lists each kind of entry once. */
function kindsOf<T>(title: string, entries: readonly T[], show: (entry: T) => string): string[] {
  const kinds = counted(entries.map(show));
  return linesOf(title, bounded(kinds.map(([kind, count]) => (count > 1 ? `${kind} (${count} times)` : kind))));
}

function linesOf(title: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `${(index === 0 ? title : "").padEnd(15)}${text}`);
}

function bounded(texts: readonly string[]): string[] {
  const more = texts.length - MOST_LINES;
  return more > 0 ? [...texts.slice(0, MOST_LINES), `and ${more} more`] : [...texts];
}

function counted(kinds: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts];
}
