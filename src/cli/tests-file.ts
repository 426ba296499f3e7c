import { existsSync } from "node:fs";
import { type FlowTest, readTests } from "../rehearsal/flow-test";
import { FileError, type FlowNode, readFileAs, readFlowFile } from "./files";

interface TestsFile {
  readonly file: string;
  readonly flows: readonly FlowNode[];
  readonly tests: readonly FlowTest[];
}

/** The tests of `name.json` stand in `name.tests.json`, or in `name.tests` where every *.json is a flow. */
const TESTS = /\.tests(?:\.json)?$/;

/**
 * @param named a tests file, or a flow file with one beside it
 * @throws FileError
 */
export function readTestsFile(named: string): TestsFile {
  const file = TESTS.test(named) ? named : besideFlow(named);
  const tests = readFileAs(file, readTests);
  return { file, tests, flows: readFlowFile(file.replace(TESTS, ".json")) };
}

function besideFlow(flow: string): string {
  const name = flow.replace(/\.json$/, "");
  const found = [`${name}.tests.json`, `${name}.tests`].find((file) => existsSync(file));
  if (found) return found;
  throw new FileError(`${flow} has no tests: write them to ${name}.tests.json beside it, or name a file of tests.`);
}
