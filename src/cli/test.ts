import type { RunTest } from "../rehearsal/run-test";
import { runTest } from "../rehearsal/run-test";
import { commandLine, UsageError } from "../sandbox/command-line";
import { junitOf } from "./junit";
import { numberOption } from "./options";
import { interruption } from "./progress";
import { linesOf, type RunFile, totals } from "./results";
import { printable } from "./summary";
import { readTestsFile, type TestsFile } from "./tests-file";
import { checkWritable, writeText } from "./written-file";

const usage = `Usage: telephony test FILE... [--junit FILE] [--user-dir DIR] [--limit SECONDS]

Rehearses flows and compares what they do with what their tests expect. No phone rings, and nothing leaves this machine.

  FILE                name.tests.json, with the tests of the flows in name.json beside it (or name.tests); or the flow file
  --junit <file>      writes the results as JUnit XML, too
  --user-dir <folder> the user folder of Node-RED, with third-party nodes and copies of calendars
  --limit <seconds>   most real time for each test (default 60)
  --help, -h          show this text

Exit code 0: all green. 1: some are red. 2: could not be run.
docs/rehearse.md describes tests.
`;

/** Each is a Node-RED of its own. */
const AT_ONCE = 2;

export async function run(name: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(name, {
    args: [...args],
    allowPositionals: true,
    options: {
      junit: { type: "string" },
      "user-dir": { type: "string" },
      limit: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (positionals.length === 0) throw new UsageError(`Name a file of tests. See ${name} --help.`);
  const { junit } = values;
  if (junit !== undefined) checkWritable(junit);
  const limit = numberOption("limit", values.limit, { least: 1, most: 86_400 });
  const options = { userDir: values["user-dir"], limit, signal: interruption() };
  // All files are read first: a mistake in the last one is known before minutes have passed.
  const files = positionals.map(readTestsFile);
  const tasks = files.flatMap(({ flows, tests }) =>
    tests.map((test) => () => attempt(runTest(test, { ...options, flows }))),
  );
  const outcomes = await inOrder(tasks);
  const run = files.map((file) => withOutcomes(file, outcomes));
  process.stdout.write(`${[...run.flatMap(linesOf), totals(run)].join("\n")}\n`);
  if (junit !== undefined) writeText(junit, junitOf(run));
  const all = run.flatMap(({ tests }) => tests);
  const unrun = all.flatMap(({ name: test, outcome }) =>
    outcome instanceof Error ? [`${test}: ${outcome.message}`] : [],
  );
  for (const reason of unrun) process.stderr.write(`${name}: ${printable(reason)}\n`);
  if (unrun.length > 0) return 2;
  return all.every(({ outcome }) => !(outcome instanceof Error) && outcome.result.isGreen) ? 0 : 1;
}

function withOutcomes({ file, tests }: TestsFile, outcomes: (RunTest | Error)[]): RunFile {
  const own = outcomes.splice(0, tests.length);
  return {
    file,
    tests: tests.map(({ name }, index) => ({ name, outcome: own[index] ?? new Error("It was not run.") })),
  };
}

async function attempt(running: Promise<RunTest>): Promise<RunTest | Error> {
  return running.catch((error: Error) => error);
}

/** Runs a few at a time; the results are in the order of the tasks. */
async function inOrder<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const left = tasks.entries();
  const worker = async () => {
    for (const [index, task] of left) results[index] = await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
