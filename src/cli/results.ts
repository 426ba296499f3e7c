import { oneLine } from "../fields/quote";
import type { RunTest } from "../workshop/rehearsal/run-test";

export interface RunFile {
  readonly file: string;
  /** The outcome is an error where a test could not be run; its message is a sentence. */
  readonly tests: readonly { readonly name: string; readonly outcome: RunTest | Error }[];
}

/** Characters of the left one of two columns. */
const WIDTH = 48;
const MOST_ERRORS = 5;
const MARKS = { green: "✓", red: "✗", unrun: "!" } as const;

export function verdictOf(outcome: RunTest | Error): keyof typeof MARKS {
  if (outcome instanceof Error) return "unrun";
  return outcome.result.isGreen ? "green" : "red";
}

export function countsOf(tests: RunFile["tests"]): Record<keyof typeof MARKS, number> {
  const counts = { green: 0, red: 0, unrun: 0 };
  for (const { outcome } of tests) counts[verdictOf(outcome)] += 1;
  return counts;
}

export function linesOf({ file, tests }: RunFile): string[] {
  const lines = tests.flatMap(({ name, outcome }) => [
    `  ${MARKS[verdictOf(outcome)]} ${oneLine(name)}`,
    ...reasonsOf(outcome).map((line) => `      ${line}`),
  ]);
  return [oneLine(file), ...lines, ""];
}

export function totals(files: readonly RunFile[]): string {
  const tests = files.flatMap((file) => file.tests);
  const { green, red, unrun } = countsOf(tests);
  const all = `${tests.length} ${tests.length === 1 ? "test" : "tests"}`;
  return `${all}: ${green} green, ${red} red${unrun > 0 ? `, ${unrun} could not be run` : ""}`;
}

/** Explains why a test could not be run; or lists what each red check expected and found side by side, and what may explain it. */
export function reasonsOf(outcome: RunTest | Error): string[] {
  if (outcome instanceof Error) return outcome.message.split("\n").map(oneLine);
  const { result, rehearsal } = outcome;
  if (result.isGreen) return [];
  const red = result.checks.filter(({ isGreen }) => !isGreen);
  const errors = rehearsal.report.errors.map(({ node, message }) => oneLine(`error of "${node}": ${message}`));
  return [
    ...(red.length > 0 ? beside("expected", "found") : []),
    ...red.flatMap(({ expected, found }) => beside(expected, found.length > 0 ? found.join("\n") : "nothing")),
    ...new Set(errors.slice(0, MOST_ERRORS)),
    ...rehearsal.notes.map(oneLine),
    ...(rehearsal.report.brokenOff === null ? [] : [oneLine(rehearsal.report.brokenOff)]),
  ];
}

/** Puts two texts side by side. No line is broken: what was found can be searched for. */
function beside(left: string, right: string): string[] {
  return right.split("\n").map((line, row) => `${oneLine(row === 0 ? left : "").padEnd(WIDTH)} │ ${oneLine(line)}`);
}
