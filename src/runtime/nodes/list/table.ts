import { setImmediate as immediate } from "node:timers/promises";
import { namedColumns, RESULT } from "../action/outgoing";
import type { Ended } from "./list-file";
import type { List } from "./reading/read-list";

/** Rows that are made without letting the process do anything else. */
const AT_ONCE = 500;
const MARK = "\uFEFF";

/** A list, and how its rows have ended; `undefined` for one that has not. */
export interface Called extends Pick<List, "rows" | "csv"> {
  readonly results: readonly (Ended | undefined)[];
}

/** A row of the table: its columns, then how it has ended. */
export function tableRow(row: unknown, ended: Ended | undefined): Record<string, unknown> {
  return Object.assign(
    namedColumns(row, Infinity),
    Object.fromEntries(RESULT.map((name, index) => [name, ended?.[index] ?? ""])),
  );
}

/** The table in the order of the list: flat rows. Lets the process do other things in between. */
export async function tableOf({ rows, results }: Called): Promise<Record<string, unknown>[]> {
  const table: Record<string, unknown>[] = [];
  for (const [index, row] of rows.entries()) {
    table.push(tableRow(JSON.parse(row), results[index]));
    if (index % AT_ONCE === AT_ONCE - 1) await immediate();
  }
  return table;
}

/**
 * The table as CSV with a mark, so that Excel reads it as UTF-8: with the separator and the columns of the list; of one that was
 * no CSV, with commas and the columns of all rows as they first occur.
 */
export async function csvOf(called: Called): Promise<string> {
  const { separator = ",", columns = [] } = called.csv ?? {};
  const table = await tableOf(called);
  const ofCsv = namedColumns(Object.fromEntries(columns.map((name) => [name, ""])), Infinity);
  const names = new Set(called.csv ? Object.keys(ofCsv) : table.flatMap(Object.keys));
  for (const name of RESULT) names.delete(name);
  const header = [...names, ...RESULT];
  const line = (cells: readonly unknown[]) => `${cells.map((cell) => cellOf(cell, separator)).join(separator)}\r\n`;
  const parts = [MARK + line(header)];
  for (const [index, row] of table.entries()) {
    parts.push(line(header.map((name) => row[name])));
    if (index % AT_ONCE === AT_ONCE - 1) await immediate();
  }
  return parts.join("");
}

/** A spreadsheet computes what begins so. */
const FORMULA = /^[=+\-@\t\r]/;
/** Numbers are none: of phones, and with a sign. */
const NUMBER = /^[+-][\d ]*[.,]?[\d ]*$/;

function cellOf(value: unknown, separator: string): string {
  const given = value === undefined || value === null ? "" : String(value);
  const text = FORMULA.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
}
