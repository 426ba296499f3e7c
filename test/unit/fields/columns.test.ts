import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { util } from "@node-red/util";
import type { Node, NodeAPI } from "node-red";
import { source, ValueError } from "../../../src/fields";
import { hostOf } from "../../../src/runtime/node-red/host";

const HOST = hostOf({ util } as unknown as NodeAPI, {} as Node);

/** The value of a pair in a message with a row. */
function read(value: string, type: string, row: object, isRow = true): unknown {
  const host = isRow ? { ...HOST, columns: true as const } : HOST;
  return source({ value, type }, "to.number", host).read({ payload: row, row, topic: "of the list" });
}

/** The same column in a path and in a template. */
const inBoth = (name: string) => [
  [`payload.${name}`, "msg"],
  [`msg.row.${name}`, "msg"],
  [`{{payload.${name}}}`, "mustache"],
  [`{{ row.${name} }}`, "mustache"],
];

const ROW = {
  "Số điện thoại": "1",
  "order.id": "2",
  order: { id: "3", No: "4" },
  NAME: "5",
  name: "6",
  [" E\u200bmail\u00a0\taddress".normalize("NFD")]: "7",
  "Phone [mobile]": "8",
  "a..b": "9",
  "Amount [1]": "11",
  constructor: "10",
};

describe("a column of a row", () => {
  for (const [name, expected] of [
    ["Số điện thoại", "1"],
    ["SỐ  ĐIỆN\u00a0thoại", "1"],
    ["số\u200bđiệnthoại".normalize("NFD"), "1"],
    ["order.id", "2"],
    ["Order.ID", "2"],
    ["order.No", "4"],
    ["Order.no", "4"],
    ["NAME", "5"],
    ["name", "6"],
    ["Name", "5"],
    ["Email address", "7"],
    ["phone [mobile]", "8"],
    ["a..b", "9"],
    ["amount [1]", "11"],
  ] as const)
    it(`is found by the name ${JSON.stringify(name)}`, () => {
      deepStrictEqual(
        inBoth(name).map(([value = "", type = ""]) => read(value, type, ROW)),
        Array(4).fill(expected),
      );
    });

  it("may be named in quotation marks", () => {
    for (const value of ['payload["Số điện thoại"]', "row['số điện thoại']", 'msg.payload["order"]["no"]'])
      strictEqual(read(value, "msg", ROW), value.includes("order") ? "4" : "1", value);
    strictEqual(read("{{#payload.name}}<{{payload.Số Điện thoại}}>{{/payload.name}}", "mustache", ROW), "<1>");
  });

  it("that is not there has no value", () => {
    for (const name of ["none", "order.none.x", "toString", "Số"]) {
      strictEqual(read(`payload.${name}`, "msg", ROW), undefined, name);
      throws(() => read(`{{payload.${name}}}`, "mustache", ROW), ValueError, name);
    }
    throws(() => read("payload.constructor", "msg", ROW), { key: "input.badSource" });
  });

  it("is not looked for elsewhere", () => {
    strictEqual(read("topic", "msg", ROW), "of the list");
    strictEqual(read("{{topic}}", "mustache", ROW), "of the list");
    throws(() => read("payload.Số điện thoại", "msg", ROW, false), { key: "input.badSource" });
    strictEqual(read("payload.Name", "msg", ROW, false), undefined);
    throws(() => read("{{payload.Name}}", "mustache", ROW, false), { key: "input.templateMissing" });
  });
});
