import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { columnsOf, readList } from "../../../src/runtime/nodes/list/reading/read-list";
import { refusalOf } from "./refusal";

const OPTIONS = { encoding: "", columns: ["number"] };

async function read(value: unknown, more: Partial<Parameters<typeof readList>[1]> = {}) {
  const { rows, problems, csv } = await readList(value, { ...OPTIONS, ...more });
  const refused = [...problems].map(([index, { key, path, params }]) => ({ index, key, path, params }));
  return { rows: rows.map((row) => JSON.parse(row) as unknown), refused, csv };
}

/** The rows of a list without problems. */
async function rowsOf(value: unknown, more = {}): Promise<unknown[]> {
  const { rows, refused } = await read(value, more);
  deepStrictEqual(refused, []);
  return rows;
}

const refused = (value: unknown, more = {}) => refusalOf(readList(value, { ...OPTIONS, ...more }));

describe("a list in an array", () => {
  it("has objects as JSON writes them when it is read", async () => {
    const list = [{ number: "0900000001", at: new Date(0), amount: 10n ** 20n, none: undefined, order: { id: 5 } }, {}];
    const reading = rowsOf(list);
    list.length = 0;
    const first = {
      number: "0900000001",
      at: "1970-01-01T00:00:00.000Z",
      amount: "1".padEnd(21, "0"),
      order: { id: 5 },
    };
    deepStrictEqual(await reading, [first, {}]);
  });

  it("has texts or numbers", async () => {
    deepStrictEqual(await rowsOf(["0900000001", 84900000002, ""]), [
      { number: "0900000001" },
      { number: 84900000002 },
      { number: "" },
    ]);
    deepStrictEqual(await rowsOf([84900000001n]), [{ number: "84900000001" }]);
  });

  it("has the cells of a table", async () => {
    const list = [
      ["Customers"],
      ["Name ", "number", ""],
      [null, 84900000001, true],
      [],
      ["An", "'0900000002", ["x"], "y"],
    ];
    const { rows, refused: problems, csv } = await read(list);
    deepStrictEqual(rows, [
      { Name: "", number: "84900000001", "column 3": "true" },
      { Name: "An", number: "0900000002", "column 3": '["x"]' },
    ]);
    const params = { line: 5, count: 4, columns: 3 };
    deepStrictEqual(problems, [{ index: 1, key: "input.list.furtherCells", path: "list[1]", params }]);
    strictEqual(csv, undefined);
    deepStrictEqual(await rowsOf([["0900000001"], ["0900000002"]]), [
      { number: "0900000001" },
      { number: "0900000002" },
    ]);
  });

  it("refuses an element that is not like the first", async () => {
    const circular: Record<string, unknown> = {};
    circular["itself"] = circular;
    const other = (index: number, line: number) => ({
      index,
      key: "input.list.otherKind",
      path: `list[${index}]`,
      params: { line },
    });
    deepStrictEqual(await read([{ a: 1 }, "0900000001", null, circular, { b: 2 }]), {
      rows: [{ a: 1 }, "0900000001", null, null, { b: 2 }],
      refused: [1, 2, 3].map((index) => other(index, index + 1)),
      csv: undefined,
    });
    deepStrictEqual((await read(["0900000001", {}, true])).refused, [other(1, 2), other(2, 3)]);
    deepStrictEqual((await read([["number"], "0900000001", ["1"]])).refused, [other(0, 2)]);
    strictEqual((await refused([true, null])).key, "input.list.noRows");
  });

  it("may be empty", async () => {
    for (const value of [[], "[]", Buffer.from(" [ ] ")]) deepStrictEqual(await rowsOf(value), []);
  });

  it("may be JSON, in text or bytes", async () => {
    const rows = [{ number: "0900000001", name: "Bình" }];
    for (const text of [JSON.stringify(rows), `\ufeff\n ${JSON.stringify(rows)}\n`])
      for (const value of [text, Buffer.from(text), new TextEncoder().encode(text)])
        deepStrictEqual(await rowsOf(value), rows);
    deepStrictEqual(await refused('[\n {"number": "0900000001"},\n  x]'), {
      key: "input.list.notJson",
      path: "list",
      params: { line: 3, column: 3 },
    });
  });
});

describe("what a JSONata expression finds", () => {
  it("is a list without rows if it is nothing, and a list of one if it is an object", async () => {
    deepStrictEqual(await rowsOf(undefined, { isJsonata: true }), []);
    deepStrictEqual(await rowsOf({ number: "1" }, { isJsonata: true }), [{ number: "1" }]);
    strictEqual((await refused(5, { isJsonata: true })).key, "input.notList");
  });
});

describe("what is no list", () => {
  it("is refused, and an object names its lists", async () => {
    for (const nothing of [undefined, null, "", " \n", Buffer.alloc(0), ";;\n;"])
      deepStrictEqual(await refused(nothing), { key: "input.missing", path: "list", params: {} });
    for (const value of [5, true, {}, () => 1]) strictEqual((await refused(value)).key, "input.notList");
    const payload = { status: "ok", records: [], data: { items: [1], deep: { list: [] } } };
    const object = (lists: string) => ({ key: "input.list.object", path: "list", params: { lists } });
    deepStrictEqual(await refused(payload, { message: { payload } }), object("payload.records, payload.data.items"));
    deepStrictEqual(await refused(payload), object("records, data.items"));
    deepStrictEqual(await refused('\n{"records": []}'), {
      key: "input.list.jsonObject",
      path: "list",
      params: { line: 2 },
    });
  });

  it("is one of several messages, unless it is a list by itself", async () => {
    const message = { parts: { id: "x", index: 0, count: 2 } };
    for (const part of ["number\n1", { number: "1" }, 5, Buffer.from("number\n1")])
      deepStrictEqual(await refused(part, { message }), { key: "input.list.part", path: "list", params: {} });
    strictEqual((await refused("number\n1", { message: { parts: { id: "x", index: 0 } } })).key, "input.list.part");
    deepStrictEqual(await rowsOf(["1"], { message }), [{ number: "1" }]);
    deepStrictEqual(await rowsOf("number\n1", { message: { parts: { count: 1 } } }), [{ number: "1" }]);
  });

  it("is a file of another kind, in bytes or as somebody has read them", async () => {
    const files = [
      ["workbook", Buffer.from("PK\x03\x04\x14\0\x06\0\x08", "latin1")],
      ["workbook", Buffer.from("d0cf11e0a1b11ae10000", "hex")],
      ["pdf", Buffer.from("%PDF-1.7\n%\xe2\xe3", "latin1")],
      ["webPage", Buffer.from("\ufeff\n<!DOCTYPE html><html>")],
      ["webPage", Buffer.from("\ufeff<table><tr>", "utf16le")],
      ["vCards", Buffer.from("BEGIN:VCARD\r\nVERSION:3.0")],
    ] as const;
    for (const [word, bytes] of files)
      for (const value of bytes[0] === 0xff ? [bytes] : [bytes, bytes.toString(), new Uint8Array(bytes)])
        deepStrictEqual(await refused(value), {
          key: "input.list.otherFile",
          path: "list",
          params: { what: { word } },
        });
  });

  it("is too long or too large", async () => {
    const long = `number\n${"1\n".repeat(20_001)}`;
    const tooLong = { key: "input.list.tooLong", path: "list", params: { most: 20_000 } };
    deepStrictEqual(await refused(long), tooLong);
    strictEqual((await rowsOf(long.slice(0, -2))).length, 20_000);
    deepStrictEqual(await refused(Array.from({ length: 20_001 }, () => "1")), tooLong);
    deepStrictEqual(await refused(Array.from({ length: 30_000 }, () => ({}))), tooLong);
    const large = "x".repeat(1024 * 1024);
    const tooLarge = { key: "input.list.tooLarge", path: "list", params: { most: 8 } };
    for (const value of [
      `number\n${large.repeat(8)}`,
      Buffer.alloc(8 * 1024 * 1024 + 1),
      Array.from({ length: 8 }, () => large),
    ])
      deepStrictEqual(await refused(value), tooLarge);
    const repeated = `number,${large}\n${"1,2\n".repeat(100)}`;
    deepStrictEqual(await refused(repeated), { ...tooLarge, params: { most: 64 } });
  });
});

describe("the encoding of a list", () => {
  const TEXT = "tên,number\nBình,0900000001\n";
  const ROWS = [{ tên: "Bình", number: "0900000001" }];
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

  it("is UTF-8, or UTF-16 with a mark, unless it has a name", async () => {
    for (const bytes of [Buffer.from(TEXT), Buffer.from(`\ufeff${TEXT}`), utf16(TEXT), utf16(TEXT).swap16()])
      deepStrictEqual(await rowsOf(bytes), ROWS);
    deepStrictEqual(await rowsOf(utf16(TEXT).subarray(2), { encoding: "UTF-16LE" }), ROWS);
    deepStrictEqual(await rowsOf(Buffer.from(TEXT, "latin1"), { encoding: "latin1" }), ROWS);
    deepStrictEqual(await rowsOf(Buffer.from("number\n\x82\xa0", "latin1"), { encoding: "shift_jis" }), [
      { number: "あ" },
    ]);
    // A mark is sure.
    deepStrictEqual(await rowsOf(Buffer.from(`\ufeff${TEXT}`), { encoding: "latin1" }), ROWS);
  });

  it("is refused where it does not fit, with the line", async () => {
    const undecodable = (line: number, encoding: string) => ({
      key: "input.list.undecodable",
      path: "list",
      params: { line, encoding },
    });
    const latin1 = Buffer.from(`number\r\n1\r2\n${"3\n".repeat(5000)}B\xecnh`, "latin1");
    deepStrictEqual(await refused(latin1), undecodable(5004, "UTF-8"));
    deepStrictEqual(
      await refused(Buffer.from("number\n1\n\x81", "latin1"), { encoding: "shift_jis" }),
      undecodable(3, "SHIFT_JIS"),
    );
    deepStrictEqual(await refused(utf16(TEXT).subarray(2)), undecodable(1, "UTF-8"));
  });

  it("was another one where a text has lost characters, which bytes in UTF-8 may have", async () => {
    const text = "number,name\n1,B\ufffdnh";
    deepStrictEqual(await refused(text), { key: "input.list.replaced", path: "list", params: { line: 2 } });
    deepStrictEqual(await rowsOf(Buffer.from(text)), [{ number: "1", name: "B\ufffdnh" }]);
  });

  it("has a name of the Encoding Standard", async () => {
    for (const encoding of ["", "utf-8", " windows-1258 ", "GB18030", "latin1"])
      strictEqual((await readList(Buffer.from("number\n1"), { ...OPTIONS, encoding })).rows.length, 1);
    await rejects(readList(Buffer.from(TEXT), { ...OPTIONS, encoding: "ansi" }), {
      key: "config.encoding",
      path: "encoding",
    });
  });
});

describe("the columns that a typed input reads", () => {
  it("stand behind payload. or row. in its path or template", () => {
    for (const [value, type, columns] of [
      ["payload.number", "msg", ["number"]],
      ["msg.payload.number", "msg", ["number"]],
      ["row.customer.phone", "msg", ["customer.phone"]],
      ['payload["Số điện thoại"]', "msg", ["Số điện thoại"]],
      ["payload.Số điện thoại", "msg", ["Số điện thoại"]],
      ["payload['a.b'][0]", "msg", ["a.b.0"]],
      ["0{{payload.số điện thoại}}", "mustache", ["số điện thoại"]],
      ["{{#row.code}}{{row.code}}{{/row.code}}{{{payload.number}}}", "mustache", ["code", "number"]],
      ["topic", "msg", undefined],
      ["payload", "msg", undefined],
      ["payload[msg.topic]", "msg", undefined],
      ["{{topic}}", "mustache", undefined],
      ["{{#open}}", "mustache", undefined],
      ["payload.number", "jsonata", undefined],
      ["payload.number", "str", undefined],
    ] as const)
      deepStrictEqual(columnsOf({ value, type }), columns, value);
  });
});
