import type { Rehearsal } from "../rehearsal/rehearsal";
import type { Report } from "../rehearsal/report";

/** Most lines of one kind. */
const MOST_LINES = 10;

/** The report in a few lines, for a terminal. */
export function summaryOf({ report, nodeRedPath, notes }: Rehearsal): string {
  const { figures } = report;
  const lines = [
    `Rehearsed ${day(report.from)} to ${day(report.until)}, seed ${report.seed}, Node-RED ${report.nodeRed} (${nodeRedPath})`,
    ...notes,
    "",
    `calls          ${countOf(
      figures.calls,
      report.calls.map(({ phone, outcome }) => phone ?? outcome),
    )}`,
    `not placed     ${countOf(
      figures.notPlaced,
      report.notPlaced.map(({ code }) => code ?? "still waiting"),
    )}`,
    ...figuresOf(report),
    ...listOf(
      "responses",
      report.inputs.filter(({ status }) => status !== null).map(({ target, status }) => `${target} ${status}`),
    ),
    ...listOf(
      "outside",
      report.outside.map(({ type, node, answered }) => `${type} "${node}"${answered ? ", answered" : ""}`),
    ),
    ...listOf(
      "errors",
      report.errors.map(({ node, message }) => `"${node}": ${message}`),
    ),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

/** A name or a text could move the cursor, or color what follows. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ");
}

function figuresOf({ figures: { busiestMinute, speechSeconds, calledTwice } }: Report): string[] {
  const minutes = `${Math.floor(speechSeconds / 60)} min ${Math.round(speechSeconds % 60)} s`;
  const twice = calledTwice.slice(0, MOST_LINES).map(({ number, calls }) => `${number} (${calls})`);
  if (calledTwice.length > MOST_LINES) twice.push(`and ${calledTwice.length - MOST_LINES} more`);
  return [
    ...(busiestMinute
      ? [
          `busiest minute ${day(busiestMinute.at)}, ${busiestMinute.calls} ${busiestMinute.calls === 1 ? "call" : "calls"}`,
        ]
      : []),
    `speech         ${minutes}`,
    ...(twice.length > 0 ? [`called twice   ${twice.join(", ")}`] : []),
  ];
}

/** `12: 9 answered, 3 declined` */
function countOf(all: number, kinds: readonly string[]): string {
  const counts = counted(kinds).map(([kind, count]) => `${count} ${kind}`);
  return counts.length > 0 ? `${all}: ${counts.join(", ")}` : String(all);
}

function listOf(title: string, entries: readonly string[]): string[] {
  const lines = counted(entries).map(([entry, count]) => (count > 1 ? `${entry} (${count} times)` : entry));
  const shown = lines.slice(0, MOST_LINES);
  if (lines.length > MOST_LINES) shown.push(`and ${lines.length - MOST_LINES} more`);
  return shown.map((line, index) => `${(index === 0 ? title : "").padEnd(15)}${line}`);
}

function counted(kinds: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts];
}

function day(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}
