import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { ValueError } from "../../../src/fields";
import { readList } from "../../../src/runtime/nodes/list/reading/read-list";
import { refusalOf } from "./refusal";

const BY_NUMBER = { encoding: "", columns: ["number"] };
const BY_FIRST_LINE = { encoding: "", columns: undefined };

async function rowsOf(text: string | Uint8Array, options: Parameters<typeof readList>[1] = BY_NUMBER) {
  const { rows, problems, csv } = await readList(text, options);
  return { rows: rows.map((row) => JSON.parse(row) as unknown), problems: [...problems], csv };
}

/** The only column of a list. */
async function cellsOf(text: string | Uint8Array, options = BY_NUMBER): Promise<unknown[]> {
  return (await rowsOf(text, options)).rows.map((row) => (row as { readonly number: unknown }).number);
}

const problem = (index: number, { key, path, params }: ValueError) => [index, key, path, params];

describe("a list in CSV", () => {
  it("has a header and rows, whose values are texts", async () => {
    deepStrictEqual(await rowsOf("name,number\nAn,0900000001\nBình,5\n"), {
      rows: [
        { name: "An", number: "0900000001" },
        { name: "Bình", number: "5" },
      ],
      problems: [],
      csv: { separator: ",", columns: ["name", "number"] },
    });
  });

  it("may end its lines with CRLF, LF or CR", async () => {
    for (const end of ["\r\n", "\n", "\r"]) deepStrictEqual(await cellsOf(["number", "1", "2"].join(end)), ["1", "2"]);
    deepStrictEqual(await cellsOf("number\r\n1\n2\r3"), ["1", "2", "3"]);
  });

  it("has the separator with which a line has the columns, or that the first line holds most often outside of quotes", async () => {
    for (const separator of [",", ";", "\t", "|"]) {
      const text = `name${separator}number\nAn${separator}1`;
      for (const options of [BY_NUMBER, BY_FIRST_LINE])
        deepStrictEqual((await rowsOf(text, options)).csv, { separator, columns: ["name", "number"] });
    }
    deepStrictEqual((await rowsOf(";;\nname;number\n1;2", BY_FIRST_LINE)).csv?.columns, ["name", "number"]);
    deepStrictEqual((await rowsOf('"a;b;c",number;x\n1,2', BY_FIRST_LINE)).csv?.columns, ["a;b;c", "number;x"]);
    deepStrictEqual((await rowsOf("a,b;number;c,d\n1;2;3")).csv?.columns, ["a,b", "number", "c,d"]);
  });

  it("may name its separator in the first line, which is then the only one", async () => {
    deepStrictEqual(await rowsOf("\ufeffsep=:\r\nname:number\r\nA,n;:1"), {
      rows: [{ name: "A,n;", number: "1" }],
      problems: [],
      csv: { separator: ":", columns: ["name", "number"] },
    });
    deepStrictEqual((await rowsOf("sep=\t\na,b\tc\n1\t2", BY_FIRST_LINE)).csv?.columns, ["a,b", "c"]);
    deepStrictEqual(await refusalOf(readList("sep=;\nname,number\nAn,1", BY_NUMBER)), {
      key: "input.list.noColumn",
      path: "list",
      params: { column: "number", line: 2, count: 1, columns: '"name,number"' },
    });
  });

  it("is quoted as RFC 4180 says", async () => {
    const text = 'name,number\n"A ""x"", y\r\nz",1\n"""B""\nz",4\n"",2\n" ",3\n';
    deepStrictEqual((await rowsOf(text)).rows, [
      { name: 'A "x", y\r\nz', number: "1" },
      { name: '"B"\nz', number: "4" },
      { name: "", number: "2" },
      { name: " ", number: "3" },
    ]);
  });

  it("loses the spaces around a quoted cell, and no others", async () => {
    const text = 'name;number\n \u00a0"A;"" n" ;"1"\t\n" B ";\t" 2"\n C ; 3 \n "5" x;4';
    deepStrictEqual((await rowsOf(text)).rows, [
      { name: 'A;" n', number: "1" },
      { name: " B ", number: " 2" },
      { name: " C ", number: " 3 " },
      { name: ' "5" x', number: "4" },
    ]);
    deepStrictEqual((await rowsOf('name\tnumber\n"A" \t "1"\n\t2')).rows, [
      { name: "A", number: "1" },
      { name: "", number: "2" },
    ]);
  });

  it("may have a quotation mark within an unquoted cell", async () => {
    deepStrictEqual((await rowsOf('name,number\n5" pipe,1\nA "B" c,2')).rows, [
      { name: '5" pipe', number: "1" },
      { name: 'A "B" c', number: "2" },
    ]);
  });

  it("loses the marks with which a spreadsheet keeps zeros", async () => {
    deepStrictEqual(await cellsOf('number\n="01"\n\'02\n"=""03"""\n\'\'04\n=1+1\n'), ["01", "02", "03", "'04", "=1+1"]);
  });

  it("leaves out lines of separators, spaces and empty quotes", async () => {
    deepStrictEqual(await cellsOf('\n;;\n number ;a\n\n;\n \u00a0; ""\n1;\n"";""\n\n2;\n'), ["1", "2"]);
  });

  it("has empty cells where some are missing, and a problem where there are further ones", async () => {
    const { rows, problems } = await rowsOf("\na,number\nx\n\n1,2,,\n1,2,,z\n1,2");
    deepStrictEqual(rows, [{ a: "x", number: "" }, ...[1, 2, 3].map(() => ({ a: "1", number: "2" }))]);
    const params = { line: 6, count: 4, columns: 2 };
    deepStrictEqual(
      problems.map(([index, error]) => problem(index, error)),
      [[2, "input.list.furtherCells", "list[2]", params]],
    );
  });

  it("names the line of the file, also behind cells with line breaks", async () => {
    const { problems } = await rowsOf('sep=,\r\ntitle\r\n\r\nname,number\r\n"a\r\nb\nc",1\r\n\r\nx,2,3\r\n');
    deepStrictEqual(
      problems.map(([index, error]) => [index, error.params["line"]]),
      [[1, 9]],
    );
  });

  it("has the header below titles, within twenty lines", async () => {
    const titles = (count: number) => `${"Customers; 2026, autumn\n".repeat(count)}name;Number\nAn;1\n`;
    deepStrictEqual((await rowsOf(titles(19))).csv, { separator: ";", columns: ["name", "Number"] });
    deepStrictEqual((await rowsOf(titles(19))).rows, [{ name: "An", Number: "1" }]);
    strictEqual((await refusalOf(readList(titles(20), BY_NUMBER))).key, "input.list.noColumn");
  });

  it("is searched for the columns regardless of case, spaces and zero-width characters", async () => {
    const columns = ["số Điện thoại", "order.id"];
    const text = `S\u1ed1\u00a0Đi\u1ec7n\u200b THOẠI;Order.ID\n1;2`;
    const { rows } = await rowsOf(text, { encoding: "", columns: columns.map((name) => name.normalize("NFD")) });
    deepStrictEqual(rows, [{ "Số\u00a0Điện\u200b THOẠI": "1", "Order.ID": "2" }]);
  });

  it("names each column once, trimmed and in NFC", async () => {
    const text = ` So\u0302\u0301 ,name,,name,name 2,"name", number \n1`;
    const columns = ["Số", "name", "column 3", "name 3", "name 2", "name 4", "number"];
    deepStrictEqual((await rowsOf(text)).csv?.columns, columns);
    deepStrictEqual((await rowsOf("__proto__,number\n1,2")).rows, [JSON.parse('{"__proto__":"1","number":"2"}')]);
  });

  it("may be numbers alone", async () => {
    const expected = {
      rows: [{ number: "0900000001" }, { number: "0900 000 002" }],
      problems: [],
      csv: { separator: ",", columns: ["number"] },
    };
    for (const options of [BY_NUMBER, BY_FIRST_LINE])
      deepStrictEqual(await rowsOf("0900000001\n\n0900 000 002\n", options), expected);
    deepStrictEqual(await cellsOf("'0900000001;\r\n0900000002;"), ["0900000001", "0900000002"]);
  });

  it("without a header is refused, and no row is shown", async () => {
    for (const options of [BY_NUMBER, BY_FIRST_LINE])
      deepStrictEqual(await refusalOf(readList("\nAn;0900000001\nBình;0900000002", options)), {
        key: "input.list.noHeader",
        path: "list",
        params: { line: 2 },
      });
    const { key, params } = await refusalOf(readList("A list\nname;phone\nAn;0900000001\nBình;;x", BY_NUMBER));
    deepStrictEqual(
      [key, params],
      ["input.list.noColumn", { column: "number", line: 2, count: 2, columns: '"name", "phone"' }],
    );
  });

  it("with a quotation mark that is not closed is refused", async () => {
    for (const [text, line] of [
      ['number\n1\n"2\n3\n4', 3],
      ['sep=,\n"number\n1\n2', 2],
      [`number\n${"1\n".repeat(5000)}"2\n3`, 5002],
      [`A list of\n"numbers\nnumber\n${"1\n".repeat(100)}`, 2],
      ['number,name\n1,"An"\n2,"Bình\n3,"Chi"\n', 3],
    ] as const)
      for (const options of [BY_NUMBER, BY_FIRST_LINE])
        deepStrictEqual(await refusalOf(readList(text, options)), {
          key: "input.list.quoteNotClosed",
          path: "list",
          params: { line },
        });
  });

  it("may be a header alone", async () => {
    deepStrictEqual(await rowsOf("name,number\r\n"), {
      rows: [],
      problems: [],
      csv: { separator: ",", columns: ["name", "number"] },
    });
  });

  it("is read in portions, so that the event loop goes on", async () => {
    const line = `${"Nguyễn Thị Minh Khai".padEnd(70)},0900000001,note\n`;
    const text = `name,number,note\n${line.repeat(20_000)}`;
    let [turns, isRead] = [0, false];
    const turn = () => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    const { rows } = await readList(Buffer.from(text), BY_NUMBER);
    isRead = true;
    strictEqual(rows.length, 20_000);
    ok(turns > 100, `${turns} turns`);
  });
});
