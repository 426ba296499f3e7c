import { statSync } from "node:fs";
import type { FlowNode } from "../workshop/lint/flow-node";
import { typeCheck } from "../workshop/lint/types";
import { numberOption, UsageError } from "./command-line";
import { FileError } from "./files";

export const REHEARSING = {
  "user-dir": { type: "string" },
  limit: { type: "string" },
} as const;

/** @param each what the limit is for, if not for the whole command */
export const rehearsingHelp = (each = "") => `\
  --user-dir <folder> the user folder of Node-RED, with third-party nodes and copies of calendars
  --limit <seconds>   most real time${each} (default 60)
  --help, -h          show this text
`;

/**
 * Returns what each of these commands passes on: where Node-RED is, how long it may take, and Ctrl+C.
 * @throws UsageError
 */
export function rehearsing({
  "user-dir": userDir,
  limit,
}: { readonly [Option in keyof typeof REHEARSING]?: string | undefined }) {
  checkUserDir(userDir);
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => controller.abort());
  return { userDir, limit: numberOption("limit", limit, 1, 86_400), signal: controller.signal };
}

/** @throws UsageError */
export function checkUserDir(userDir: string | undefined): void {
  if (userDir !== undefined && !statSync(userDir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`The option --user-dir must be a folder that exists, not "${userDir}".`);
}

/**
 * Refuses flows that Node-RED would not start.
 * @throws FileError with a sentence for each type that is unknown
 */
export function checkTypes(file: string, flows: readonly FlowNode[], userDir: string | undefined): void {
  const { nodes } = require("../../nodes/index") as typeof import("../../nodes/index");
  const check = typeCheck(
    nodes.map(({ type }) => type),
    userDir,
  );
  const unknown = new Set(flows.flatMap(({ type }) => check(type)?.message ?? []));
  if (unknown.size > 0) throw new FileError([...unknown].map((message) => `${file}: ${message}`).join("\n"));
}
