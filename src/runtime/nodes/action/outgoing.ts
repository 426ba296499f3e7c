import type { NodeAPI, NodeMessage } from "node-red";
import { type Answered, type JobResult, type Mode, type Outcome, outcomeOf } from "../../../client";
import { isObject } from "../../../json/rules";
import { publicReason } from "../../delivery/http-answer";
import { isPlain } from "../../delivery/stored-message";
import type { Item } from "../../schedules/pages";

/** A message with any further properties. */
export type OpenMessage = NodeMessage & Record<string, unknown>;

/**
 * The properties of an outgoing message beside the answer's data; the items of one page share them.
 * @param row that of an action on a call
 */
export function factsOf(action: string, answered: Answered, mode: Mode | null, row?: object) {
  const { status, envelope, summary, timings, restored, again } = answered;
  const past = { ...(restored && { restored }), ...(again && { again }) };
  const telephony = { action, mode, request: summary, ...timings, ...past, ...row };
  return { envelope, statusCode: status, telephony };
}

/**
 * The message for one item of many: a clone, with the `parts` that a join node needs.
 * @param item which of them it is, and the id that all items of one run share
 */
export function itemMessage(
  RED: NodeAPI,
  message: NodeMessage,
  item: Item & { readonly id: string },
  facts: object,
): OpenMessage {
  const out = RED.util.cloneMessage(message) as OpenMessage;
  Object.assign(out, facts);
  const outer = out["parts"];
  out["parts"] = { ...item, type: "array", len: 1, ...(outer !== undefined && { parts: outer }) };
  out._msgid = RED.util.generateId();
  return out;
}

/** Columns of a row that come from its message. */
const MOST_COLUMNS = 100;
export const RESULT = ["outcome", "code", "reason", "at"];

/**
 * The result of a message as one row of a table: the columns that came in with it, then its outcome.
 * @param at when it ended, ISO 8601
 */
export function rowOf(RED: NodeAPI, message: OpenMessage, result: JobResult, at: string): Row {
  const row = namedColumns(isObject(message["row"]) ? message["row"] : message["payload"]);
  const [outcome, code, reason] = endOf(RED, result);
  return Object.assign(row, { outcome, code, reason, at });
}

/** The end of a request: its outcome, and the code and the reason of a failure. */
export function endOf(RED: NodeAPI, result: JobResult): readonly [outcome: Outcome, code: string, reason: string] {
  const outcome = outcomeOf(result);
  return result.ok ? [outcome, "", ""] : [outcome, result.error.code, publicReason(RED, result.error).message];
}

/** The columns of a row by their names in its table. Never throws. */
export function namedColumns(holder: unknown, most = MOST_COLUMNS): Row {
  const row: Row = {};
  try {
    addColumns(row, holder, most);
  } catch {
    // A getter or a proxy of the flow's own. The message is delivered without the rest of its columns.
  }
  return row;
}

type Row = Record<string, unknown>;

/**
 * Adds the values of an object and of the plain objects in it. A name of the result gets a number, as in `code 2`.
 * @returns the columns that may follow
 */
function addColumns(row: Row, holder: unknown, most: number, prefix = ""): number {
  if (!isObject(holder) || !isPlain(holder)) return most;
  let left = most;
  for (const key of Object.keys(holder)) {
    if (left === 0) break;
    const value = holder[key];
    if (typeof value === "object" && value !== null) {
      if (prefix === "") left = addColumns(row, value, left, `${key}.`);
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      let name = prefix + key;
      if (RESULT.includes(name)) {
        // The table of an earlier node.
        if (RESULT.every((each) => Object.hasOwn(holder, each))) continue;
        for (let index = 2; Object.hasOwn(holder, name); index++) name = `${key} ${index}`;
      }
      if (!Object.hasOwn(row, name)) left -= 1;
      // Assigned, it would be the prototype.
      if (name === "__proto__")
        Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
      else row[name] = value;
    }
  }
  return left;
}
