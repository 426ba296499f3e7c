import { ValueError } from "../../../../fields";
import { cellText, findHeader, type Header, isBlankLine, type Line, SEARCHED_LINES } from "./header";

export interface List {
  /** The JSON text of each row: an object. Texts cost less memory than objects. */
  readonly rows: readonly string[];
  /** The rows that cannot be read, by index from 0, with the reason. */
  readonly problems: ReadonlyMap<number, ValueError>;
  /** Of a CSV: its separator and columns, for the table that is given out at the end. */
  readonly csv?: { readonly separator: string; readonly columns: readonly string[] };
}

export const MAX_ROWS = 20_000;
/** The rows of a table repeat the names of its columns, which may be long. */
const MAX_TABLE_MB = 64;
/** The separators of a table that does not name its own. */
const SEPARATORS = [",", ";", "\t", "|"];
/** A first line that names the separator. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?[^\S\r\n]*(?:\r\n|[\r\n]|$)/iu;

/**
 * Reads CSV text.
 * @param wanted the names of columns by which the header is found
 * @throws ValueError
 */
export async function readCsv(text: string, wanted: readonly string[] | undefined): Promise<List> {
  const { readRecords } = require("./csv") as typeof import("./csv");
  const [named = "", separatorOfFile] = SEPARATOR_LINE.exec(text) ?? [];
  const body = text.slice(named.length);
  const before = named === "" ? 0 : 1;
  const beginning = beginningOf(body);
  const readings: { readonly separator: string; readonly lines: Line[]; readonly open: number | undefined }[] = [];
  for (const separator of separatorOfFile === undefined ? SEPARATORS : [separatorOfFile]) {
    const lines: Line[] = [];
    const open = await readRecords(beginning, separator, (cells, line) => {
      lines.push({ cells, line: line + before });
      return line < SEARCHED_LINES;
    });
    readings.push({ separator, lines, open });
  }
  const unclosed = (line: number) => new ValueError("input.list.quoteNotClosed", "list", { line: line + before });
  const header = headerOf();
  const table = new Table(header);
  const open = await readRecords(body, header.separator, (cells, line) => {
    table.add({ cells, line: line + before });
    return true;
  });
  if (open !== undefined) throw unclosed(open);
  return { ...table.list, csv: { separator: header.separator, columns: header.columns } };

  function headerOf(): Header {
    try {
      return findHeader(readings, wanted);
    } catch (error) {
      const [{ open } = {}] = readings;
      // The cell of a quotation mark that is not closed has all other lines in it.
      throw open !== undefined && (beginning === body || open <= SEARCHED_LINES) ? unclosed(open) : error;
    }
  }
}

/** The first lines of a text, and as many again for cells with line breaks. */
function beginningOf(text: string): string {
  const lineEnd = /\r\n|[\r\n]/g;
  for (let line = 0; line < 2 * SEARCHED_LINES; line += 1) if (!lineEnd.test(text)) return text;
  return text.slice(0, lineEnd.lastIndex);
}

export class Table {
  readonly #rows: string[] = [];
  readonly #problems = new Map<number, ValueError>();
  /** The JSON text in front of the value of each column. */
  readonly #names: readonly string[];
  #size = 0;

  constructor(private readonly header: Header) {
    this.#names = header.columns.map((name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  }

  get list(): List {
    return { rows: this.#rows, problems: this.#problems };
  }

  /** Adds a line, unless it is above the rows or has nothing in it. Throws `ValueError` if the table becomes too long. */
  add(added: Line): void {
    const { cells, line } = added;
    if (line <= this.header.line || isBlankLine(added)) return;
    const index = this.#rows.length;
    const columns = this.#names.length;
    // Joined, because a text that grows is a tree in memory.
    const values = this.#names.map((name, at) => name + JSON.stringify(cellText(cells[at] ?? "")));
    const row = [...values, "}"].join("");
    this.#size += row.length;
    if (index >= MAX_ROWS) throw new ValueError("input.list.tooLong", "list", { most: MAX_ROWS });
    if (this.#size > MAX_TABLE_MB * 1024 * 1024)
      throw new ValueError("input.list.tooLarge", "list", { most: MAX_TABLE_MB });
    this.#rows.push(row);
    if (isBlankLine({ cells: cells.slice(columns) })) return;
    const params = { line, count: cells.length, columns };
    this.#problems.set(index, new ValueError("input.list.furtherCells", `list[${index}]`, params));
  }

  /** Adds a row that is none. */
  addOther(line: number): void {
    if (line <= this.header.line) return;
    this.#problems.set(this.#rows.length, otherKind(this.#rows.length, line));
    this.#rows.push("{}");
  }
}

/** The problem of a row that is not what the first one is. */
export function otherKind(index: number, line: number): ValueError {
  return new ValueError("input.list.otherKind", `list[${index}]`, { line });
}
