import { inTimeSlices } from "../../../../client/guard/time-slices";
import { isGiven, type Pair, ValueError } from "../../../../fields";
import { columnAt } from "../../../../fields/sources/column";
import { errorPlaceInSteps } from "../../../../json/error-place";
import { attempt, isObject } from "../../../../json/rules";
import { findHeader, NUMBER, SEARCHED_LINES } from "./header";
import { listText, MAX_BYTES, MAX_MB } from "./list-text";
import { type List, MAX_ROWS, otherKind, readCsv, Table } from "./read-table";

export type { List } from "./read-table";

interface Options {
  /** Of bytes, as the Encoding Standard names it; `""` is UTF-8, or UTF-16 with a mark. */
  readonly encoding: string;
  /** The columns of which the number is read, by which the header is found. */
  readonly columns: readonly string[] | undefined;
  /** Whether a JSONata expression has found the value. */
  readonly isJsonata?: boolean;
  readonly message?: object;
}

/**
 * Reads a list of a message, in portions, so that other work goes on meanwhile: an array, its JSON, or CSV.
 * @throws ValueError on `list` if it cannot be read as a whole, or on `encoding`
 */
export async function readList(value: unknown, options: Options): Promise<List> {
  const { isJsonata = false, message = {} } = options;
  if (isJsonata && (value === undefined || value === null)) return ofArray([], options);
  if (!isGiven(value)) throw new ValueError("input.missing", "list");
  if (Array.isArray(value)) return ofArray(value, options);
  if (isJsonata && isObject(value) && !isBytes(value)) return ofArray([value], options);
  if (isOneOfSeveral(message)) throw new ValueError("input.list.part", "list");
  if (typeof value === "string" || isBytes(value)) return ofText(listText(value, options.encoding), options);
  const lists = isObject(value) ? listsIn(value, nameOf(value, message)) : [];
  if (lists.length > 0) throw new ValueError("input.list.object", "list", { lists: lists.join(", ") });
  throw new ValueError("input.notList", "list", { value });
}

/** The columns that a typed input reads of `payload` or `row`; `undefined` where it is neither a path nor a template of them. */
export function columnsOf({ value, type }: Pair): readonly string[] | undefined {
  if (type !== "msg" && type !== "mustache") return undefined;
  const text = String(value);
  const { namesIn } =
    require("../../../../fields/sources/template") as typeof import("../../../../fields/sources/template");
  const names = type === "msg" ? [text] : (attempt(() => namesIn(text)) ?? []);
  const columns = names.flatMap((name) => columnAt(name)?.name ?? []);
  return columns.length > 0 ? [...new Set(columns)] : undefined;
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** Whether a message is one of several into which something was split. */
function isOneOfSeveral({ parts }: { readonly parts?: unknown }): boolean {
  return isObject(parts) && parts["count"] !== 1;
}

/** The property of a message that has a value. */
function nameOf(value: unknown, message: object): string {
  const [name] = Object.entries(message).find(([, each]) => each === value) ?? [];
  return name === undefined ? "" : `${name}.`;
}

const MOST_NAMED = 5;

/** The paths of the lists in an object, and in the objects in it. */
function listsIn(value: object, before: string, depth = 2): string[] {
  const found = Object.entries(value).flatMap(([name, inner]) =>
    Array.isArray(inner)
      ? [before + name]
      : depth > 1 && isObject(inner)
        ? listsIn(inner, `${before}${name}.`, depth - 1)
        : [],
  );
  return found.slice(0, MOST_NAMED);
}

async function ofText(text: string, options: Options): Promise<List> {
  const [begun = ""] = /^\s*[[{]?/.exec(text) ?? [];
  const line = begun.split(/\r\n|[\r\n]/).length;
  if (begun.endsWith("{")) throw new ValueError("input.list.jsonObject", "list", { line });
  if (!begun.endsWith("[")) return readCsv(text, options.columns);
  const list = attempt(() => JSON.parse(text) as unknown[]);
  if (list === undefined)
    throw new ValueError("input.list.notJson", "list", { ...(await inTimeSlices(errorPlaceInSteps(text))) });
  return ofArray(list, options);
}

async function ofArray(list: readonly unknown[], { columns }: Options): Promise<List> {
  if (list.length > MAX_ROWS + SEARCHED_LINES) throw new ValueError("input.list.tooLong", "list", { most: MAX_ROWS });
  return inTimeSlices(rowsOf(Array.from(list), columns));
}

/** The kinds of elements by the beginning of their JSON. */
const KINDS = [
  ["object", /^\{/],
  ["number", /^["\d-]/],
  ["cells", /^\[/],
] as const;

function kindOf(json: string | undefined): (typeof KINDS)[number][0] | undefined {
  return KINDS.find(([, pattern]) => json !== undefined && pattern.test(json))?.[0];
}

/** Reads the elements of an array, one a step. */
function* rowsOf(list: readonly unknown[], columns: readonly string[] | undefined): Generator<undefined, List> {
  const texts: (string | undefined)[] = [];
  let size = 0;
  for (const element of list) {
    const json = jsonOf(element);
    size += json === undefined ? 0 : Buffer.byteLength(json);
    if (size > MAX_BYTES) throw new ValueError("input.list.tooLarge", "list", { most: MAX_MB });
    texts.push(json);
    yield;
  }
  const kind = texts.map(kindOf).find((each) => each !== undefined);
  if (kind === undefined && list.length > 0) throw new ValueError("input.list.noRows", "list");
  if (kind === "cells") return yield* tableOf(texts, columns);
  const problems = new Map<number, ValueError>();
  const rows = texts.map((json, index) => {
    if (json !== undefined && kindOf(json) === kind) return kind === "object" ? json : `{"${NUMBER}":${json}}`;
    problems.set(index, otherKind(index, index + 1));
    return json ?? "null";
  });
  if (rows.length > MAX_ROWS) throw new ValueError("input.list.tooLong", "list", { most: MAX_ROWS });
  return { rows, problems };
}

/** An element as JSON writes it, with BigInts as their digits; `undefined` if it cannot. */
function jsonOf(element: unknown): string | undefined {
  const digits = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  return attempt(() => JSON.stringify(element) as string | undefined) ?? attempt(() => JSON.stringify(element, digits));
}

/** Reads lists of cells. */
function* tableOf(
  texts: readonly (string | undefined)[],
  columns: readonly string[] | undefined,
): Generator<undefined, List> {
  const lines: (readonly string[] | undefined)[] = [];
  for (const json of texts) {
    lines.push(kindOf(json) === "cells" ? (JSON.parse(json ?? "") as unknown[]).map(cellOf) : undefined);
    yield;
  }
  const first = lines.slice(0, SEARCHED_LINES).map((cells, index) => ({ cells: cells ?? [], line: index + 1 }));
  const header = findHeader([{ separator: "", lines: first }], columns);
  const table = new Table(header);
  for (const [index, cells] of lines.entries()) {
    if (cells) table.add({ cells, line: index + 1 });
    else table.addOther(index + 1);
    yield;
  }
  return table.list;
}

function cellOf(value: unknown): string {
  return typeof value === "object" ? (value === null ? "" : JSON.stringify(value)) : String(value);
}
