import { existsSync, readFileSync } from "node:fs";

/** A line of `telephony/unfinished.jsonl`; docs/contract/restarts.md#when-node-red-stops. */
export interface UnfinishedLine {
  readonly time: string;
  /** The same in all lines about one request. */
  readonly entry: string;
  readonly node: string;
  readonly action: string;
  readonly mode: string;
  readonly message: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly outcome: string;
}

/** The lines of the file, each of which must be whole; none if there is no file. */
export function unfinishedLines(file: string): UnfinishedLine[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text !== "" && !text.endsWith("\n")) throw new Error(`the last line is cut off: ${text.slice(-200)}`);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as UnfinishedLine);
}

/** The last outcome of each request, by call id. */
export function lastOutcomes(file: string): Record<string, string> {
  return Object.fromEntries(unfinishedLines(file).map(({ request, outcome }) => [String(request["callId"]), outcome]));
}
