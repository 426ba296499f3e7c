import { ValueError } from "../../../../fields";
import { LONGEST_E164, readPhoneNumber } from "../../../../fields/kinds/phone-number";
import { unquoted } from "../../../../fields/quote";
import { columnIn } from "../../../../fields/sources/column";

/** A line of a table, and where it is, from 1. */
export interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

export interface Header {
  readonly separator: string;
  readonly columns: readonly string[];
  /** The line behind which the rows begin. */
  readonly line: number;
}

/** A header without the column that is looked for. */
export class NoColumn extends ValueError {
  constructor(
    readonly columns: readonly string[],
    params: ValueError["params"],
  ) {
    super("input.list.noColumn", "list", params);
  }
}

/** The lines of which one must be the header. */
export const SEARCHED_LINES = 20;
/** The column of a list of numbers. */
export const NUMBER = "number";
/** Fewer digits may be the name of a column, such as a year. */
const SHORTEST_NUMBER = 7;

/** A possible header: the cells of a line, with one separator. */
interface Candidate extends Header {
  readonly cells: readonly string[];
}

/**
 * Finds the header: the first line that has the columns that are looked for, with the separator with which it has them. If none are
 * looked for, the first line, with the separator that it holds most often. A number to call is no name of a column. A first line that
 * is nothing but such a number begins a list of numbers.
 * @param readings the first lines as each separator divides them
 * @param wanted the names of columns
 * @throws ValueError
 */
export function findHeader(
  readings: readonly { readonly separator: string; readonly lines: readonly Line[] }[],
  wanted: readonly string[] | undefined,
): Header {
  const blank = new Set(readings.flatMap(({ lines }) => lines.filter(isBlankLine).map(({ line }) => line)));
  const candidates: readonly Candidate[] = readings
    .flatMap(({ separator, lines }) => lines.map((each) => ({ ...each, separator, columns: columnNames(each.cells) })))
    .filter(({ line }) => !blank.has(line))
    .sort((a, b) => a.line - b.line || b.cells.length - a.cells.length);
  const [first] = candidates;
  if (!first) throw new ValueError("input.missing", "list");
  const found = wanted
    ? candidates.find(({ columns }) => wanted.every((name) => columnIn(columns, name) !== undefined))
    : hasNumber(first)
      ? undefined
      : first;
  if (found) return found;
  const only = candidates.find(({ line, cells }) => line === first.line && isOnlyNumber(cells));
  if (only) return { ...only, columns: [NUMBER], line: first.line - 1 };
  throw noHeader(candidates, wanted);
}

/** The names of columns, each once. */
function columnNames(cells: readonly string[]): string[] {
  const names = cells.map((cell, index) => cellText(cell).trim().normalize("NFC") || `column ${index + 1}`);
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = (counts.get(name) ?? 0) + 1;
    while (count > 1 && taken.has(`${name} ${count}`)) count += 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  });
}

/** The text of a cell, without the marks with which a spreadsheet keeps its zeros. */
export function cellText(cell: string): string {
  const [, formula] = /^\s*="(.*)"\s*$/s.exec(cell) ?? [];
  return formula?.replaceAll('""', '"') ?? cell.replace(/^'/, "");
}

export function isBlankLine({ cells }: Pick<Line, "cells">): boolean {
  return cells.every((cell) => cell.trim() === "");
}

function hasNumber({ cells }: Candidate): boolean {
  return cells.some(isNumber);
}

function isOnlyNumber(cells: readonly string[]): boolean {
  const [only = "", ...others] = cells.filter((cell) => cell.trim() !== "");
  return others.length === 0 && isNumber(only);
}

function isNumber(cell: string): boolean {
  const { readings = [] } = readPhoneNumber(cellText(cell)) ?? {};
  return readings.some(({ length }) => length >= SHORTEST_NUMBER && length <= LONGEST_E164);
}

/** Shows what may be a header, but no row. */
function noHeader(candidates: readonly Candidate[], wanted: readonly string[] = []): ValueError {
  const firstRow = candidates.find(hasNumber)?.line ?? Infinity;
  const headers = candidates.filter(({ line }) => line < firstRow);
  const [most] = headers.toSorted((a, b) => b.cells.length - a.cells.length);
  const missing = most && wanted.find((name) => columnIn(most.columns, name) === undefined);
  if (!most || missing === undefined)
    return new ValueError("input.list.noHeader", "list", { line: candidates[0]?.line });
  const columns = unquoted(most.columns.map((name) => `"${name}"`).join(", "));
  return new NoColumn(most.columns, {
    column: unquoted(missing),
    line: most.line,
    count: most.columns.length,
    columns,
  });
}
