import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isObject } from "../json/rules";
import type { FlowNode } from "../workshop/lint/flow-node";
import { readTests } from "../workshop/rehearsal/flow-test";

/** A file cannot be used. Its message names the file and the remedy. */
export class FileError extends Error {}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check its path",
  EISDIR: "is a folder; name a file in it",
  EACCES: "may not be read by this user; change its permissions",
};

/** @throws FileError */
function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new FileError(`${file} ${problems[code] ?? `cannot be read: ${message}`}.`);
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new FileError(`${file} is not JSON: ${(error as Error).message.replaceAll(/\s+/g, " ")}.`);
  }
}

/**
 * Reads a JSON file, and names it in front of each sentence about what is in it.
 * @throws FileError
 */
export function readFileAs<T>(file: string, read: (content: unknown) => T): T {
  const content = readJsonFile(file);
  try {
    return read(content);
  } catch (error) {
    throw new FileError((error as Error).message.replaceAll(/^/gm, `${file}: `));
  }
}

/**
 * The nodes of a flow file: a list as Node-RED exports and stores it, or an object with the list in `flows`.
 * @throws FileError, also if there are none, unless `mayBeEmpty`
 */
export function readFlowFile(file: string, { mayBeEmpty = false } = {}): readonly FlowNode[] {
  const content = readJsonFile(file);
  const nodes = isObject(content) ? content["flows"] : content;
  const isNode = (node: unknown) =>
    isObject(node) && typeof node["id"] === "string" && typeof node["type"] === "string";
  if (Array.isArray(nodes) && (nodes.length > 0 || mayBeEmpty) && nodes.every(isNode)) return nodes;
  throw new FileError(
    `${file} is not a flow: export your nodes in Node-RED, Menu > Export, all flows, and use that file.`,
  );
}

/**
 * Checks a file before the work whose result goes there: nobody likes to wait for a file that cannot be written.
 * @throws FileError
 */
export function checkWritable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new FileError(`${file} cannot be written: its folder does not exist, or may not be written to.`);
  }
}

/** @throws FileError */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new FileError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}

/** The tests of `name.json` stand in `name.tests.json`, or in `name.tests` where every *.json is a flow. */
const TESTS = /\.tests(?:\.json)?$/;

/**
 * @param named a tests file, or a flow file with one beside it
 * @throws FileError
 */
export function readTestsFile(named: string) {
  const file = TESTS.test(named) ? named : besideFlow(named);
  const tests = readFileAs(file, readTests);
  if (tests.length === 0) throw new FileError(`${file} has no tests: write some into its list "tests".`);
  return { file, tests, flows: readFlowFile(file.replace(TESTS, ".json")) };
}

function besideFlow(flow: string): string {
  const name = flow.replace(/\.json$/, "");
  const found = [`${name}.tests.json`, `${name}.tests`].find((file) => existsSync(file));
  if (found) return found;
  readFlowFile(flow);
  throw new FileError(`${flow} has no tests: write them to ${name}.tests.json beside it, or name a file of tests.`);
}
