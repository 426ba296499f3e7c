import type { Check } from "../rehearsal/check";
import type { RunTest } from "../rehearsal/run-test";
import { printable } from "./summary";

export interface RunFile {
  readonly file: string;
  /** The outcome is an error where a test could not be run; its message is a sentence. */
  readonly tests: readonly { readonly name: string; readonly outcome: RunTest | Error }[];
}

/** Characters of the left one of two columns. */
const WIDTH = 48;
const MOST_ERRORS = 5;

export function linesOf({ file, tests }: RunFile): string[] {
  return [
    printable(file),
    ...tests.flatMap(({ name, outcome }) => {
      if (outcome instanceof Error)
        return [`  ! ${printable(name)}`, ...reasonsOf(outcome).map((line) => `      ${line}`)];
      if (outcome.result.isGreen) return [`  ✓ ${printable(name)}`];
      return [`  ✗ ${printable(name)}`, ...whyRed(outcome).map((line) => `      ${line}`)];
    }),
    "",
  ];
}

export function totals(files: readonly RunFile[]): string {
  const outcomes = files.flatMap(({ tests }) => tests.map(({ outcome }) => outcome));
  const unrun = outcomes.filter((outcome) => outcome instanceof Error).length;
  const green = outcomes.filter((outcome) => !(outcome instanceof Error) && outcome.result.isGreen).length;
  const red = outcomes.length - unrun - green;
  return `${outcomes.length} ${outcomes.length === 1 ? "test" : "tests"}: ${green} green, ${red} red${unrun > 0 ? `, ${unrun} could not be run` : ""}`;
}

/** Each red check with what was expected and what was found, side by side, and what else may explain it. */
export function whyRed({ result, rehearsal }: RunTest): string[] {
  const red = result.checks.filter(({ isGreen }) => !isGreen);
  const errors = rehearsal.report.errors.map(({ node, message }) => printable(`error of "${node}": ${message}`));
  return [
    ...(red.length > 0 ? beside("expected", "found") : []),
    ...red.flatMap(({ expected, found }: Check) => beside(expected, found.length > 0 ? found.join("\n") : "nothing")),
    ...new Set(errors.slice(0, MOST_ERRORS)),
    ...(rehearsal.cutShort === undefined ? [] : [printable(rehearsal.cutShort)]),
  ];
}

export function reasonsOf(error: Error): string[] {
  return error.message.split("\n").map(printable);
}

/** No line is broken: what was found can be searched for. */
function beside(left: string, right: string): string[] {
  return right.split("\n").map((line, row) => `${printable(row === 0 ? left : "").padEnd(WIDTH)} │ ${printable(line)}`);
}
