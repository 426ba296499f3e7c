import { readFileSync } from "node:fs";

export type FlowNode = Readonly<Record<string, unknown>>;

/** A file cannot be used. Its message names the file and the remedy. */
export class FileError extends Error {}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check its path",
  EISDIR: "is a folder; name a file in it",
  EACCES: "may not be read by this user; change its permissions",
};

/** @throws FileError */
export function readJsonFile(file: string): unknown {
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
    throw new FileError(`${file} is not JSON: ${(error as Error).message}.`);
  }
}

/**
 * The nodes of a flow file: a list as Node-RED exports and stores it, or an object with the list in `flows`.
 * @throws FileError
 */
export function readFlowFile(file: string): readonly FlowNode[] {
  const content = readJsonFile(file);
  const nodes = isRecord(content) ? content["flows"] : content;
  const isFlow =
    Array.isArray(nodes) &&
    nodes.length > 0 &&
    nodes.every((node) => isRecord(node) && typeof node["id"] === "string" && typeof node["type"] === "string");
  if (!isFlow)
    throw new FileError(
      `${file} is not a flow: export your nodes in Node-RED, Menu > Export, all flows, and use that file.`,
    );
  return nodes as FlowNode[];
}

function isRecord(value: unknown): value is FlowNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
