import { oneLine } from "../fields/quote";
import { type RunTest, runTest } from "../workshop/rehearsal/run-test";
import { commandLine, UsageError } from "./command-line";
import { checkWritable, readTestsFile, writeText } from "./files";
import { junitOf } from "./junit";
import { checkTypes, REHEARSING, rehearsing, rehearsingHelp } from "./options";
import { countsOf, linesOf, totals } from "./results";

const usage = `Usage: telephony test FILE... [--junit FILE] [--user-dir DIR] [--limit SECONDS]

Rehearses flows and compares what they do with what their tests expect. No phone rings, and nothing leaves this machine.

  FILE                name.tests.json, with the tests of the flows in name.json beside it (or name.tests); or the flow file
  --junit <file>      writes the results as JUnit XML, too
${rehearsingHelp(" for each test")}
Exit code 0: all green. 1: some are red. 2: could not be run.
docs/rehearse.md describes tests.
`;

/** Each is a Node-RED of its own. */
const AT_ONCE = 2;

export async function run(name: string, args: readonly string[]): Promise<number> {
  const given = commandLine(name, usage, {
    args,
    allowPositionals: true,
    options: { junit: { type: "string" }, ...REHEARSING },
  });
  if (!given) return 0;
  const { values, positionals } = given;
  if (positionals.length === 0) throw new UsageError(`Name a file of tests. See ${name} --help.`);
  const { junit } = values;
  if (junit !== undefined) checkWritable(junit);
  const options = rehearsing(values);
  // All files are read first: a mistake in the last one is known before minutes have passed.
  const files = positionals.map(readTestsFile);
  for (const { file, flows } of files) checkTypes(file, flows, options.userDir);
  const tasks = files.flatMap(({ flows, tests }) =>
    tests.map((test) => () => runTest(test, { ...options, flows }).catch((error: Error) => error)),
  );
  const outcomes = (await inOrder<RunTest | Error>(tasks)).values();
  const run = files.map(({ file, tests }) => ({
    file,
    tests: tests.map((test) => ({ name: test.name, outcome: outcomes.next().value as RunTest | Error })),
  }));
  process.stdout.write(`${[...run.flatMap(linesOf), totals(run)].join("\n")}\n`);
  if (junit !== undefined) writeText(junit, junitOf(run));
  const all = run.flatMap(({ tests }) => tests);
  for (const { name: test, outcome } of all)
    if (outcome instanceof Error) process.stderr.write(`${name}: ${oneLine(`${test}: ${outcome.message}`)}\n`);
  const { red, unrun } = countsOf(all);
  if (unrun > 0) return 2;
  return red > 0 ? 1 : 0;
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
