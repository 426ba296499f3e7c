import { setImmediate as immediate } from "node:timers/promises";
import { Parser } from "csv-parse";

/** Bytes that are parsed at once, in a few milliseconds. */
const PORTION = 16 * 1024;
/** Cells in quotation marks that are found at once. */
const CELLS = 500;
const [LF, CR] = [10, 13];

/**
 * Reads the records of CSV text in portions, so that other work goes on meanwhile. Lines end with CRLF, LF or CR. Empty ones are left
 * out, and so are spaces around a quoted cell. A quotation mark within an unquoted cell is a character. The build puts the library
 * into this file.
 * @param read gets the cells of a record and the line, from 1, in which it begins. It may end the reading with `false`, or throw
 * @returns the line of a record with a quotation mark that is not closed
 */
export async function readRecords(
  text: string,
  separator: string,
  read: (cells: readonly string[], line: number) => boolean | undefined,
): Promise<number | undefined> {
  const bytes = Buffer.from(await withoutSpacesAround(text, separator));
  let [line, at] = [1, 0];
  const goTo = (end: number) => {
    for (; at < end; at += 1) if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) line += 1;
  };
  const skipEmptyLines = () => {
    while (bytes[at] === LF || bytes[at] === CR) goTo(at + 1);
  };
  let goesOn = true;
  let open: number | undefined;
  const parser = new Parser({
    delimiter: separator,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    on_record(cells: readonly string[], { bytes: end }) {
      skipEmptyLines();
      if (goesOn && cells.some((cell) => isTorn(cell, bytes.subarray(at, end)))) open = line;
      goesOn = goesOn && open === undefined && read(cells, line) !== false;
      goTo(end);
      info.records = 0;
      return null;
    },
  });
  // The library makes an error of each record with other cells than the first one, although it goes on: so each is the first one.
  const info: { records: number } = parser.info;
  // The callbacks of its methods get the same errors.
  parser.on("error", () => {});
  try {
    for (let from = 0; goesOn && from < bytes.length; from += PORTION) {
      await done((then) => parser.write(bytes.subarray(from, from + PORTION), then));
      await immediate();
    }
    if (goesOn) await done((then) => parser.end(then));
    return open;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    skipEmptyLines();
    return line;
  } finally {
    parser.destroy();
  }
}

/** Whether a quotation mark was closed by the one of a later cell, so that the library takes both for characters. */
function isTorn(cell: string, record: Buffer): boolean {
  return cell.startsWith('"') && /[\r\n]/.test(cell) && !record.includes(`"${cell.replaceAll('"', '""')}"`);
}

function done(work: (then: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())));
}

/** Removes the spaces around quoted cells: the library can only trim all cells. */
async function withoutSpacesAround(text: string, separator: string): Promise<string> {
  if (!/[^\S\r\n]"|"[^\S\r\n]/.test(text)) return text;
  const ends = `\\u{${separator.codePointAt(0)?.toString(16)}}|[\\r\\n]`;
  const spaces = `(?:(?!${ends})\\s)*`;
  const quoted = new RegExp(`(^|${ends})${spaces}("[^"]*(?:""[^"]*)*")${spaces}(?=${ends}|$)`, "gu");
  const parts: string[] = [];
  let from = 0;
  for (let found = quoted.exec(text), count = 1; found; found = quoted.exec(text), count += 1) {
    parts.push(text.slice(from, found.index), found[1] ?? "", found[2] ?? "");
    from = quoted.lastIndex;
    if (count % CELLS === 0) await immediate();
  }
  return [...parts, text.slice(from)].join("");
}
