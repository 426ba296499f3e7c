import { deepEqual } from "node:assert/strict";
import { Graph } from "../../../src/workshop/lint/graph";
import { fieldsRead } from "../../../src/workshop/lint/read-fields";
import { NODES } from "../../support/node-types";

describe("The fields of a payload that nodes behind another read", () => {
  const node = (id: string, type: string, more: object, ...wires: string[]) => ({ id, type, wires: [wires], ...more });
  const fields = (...behind: ReturnType<typeof node>[]) => {
    const from = node("from", "telephony-webhook", {}, "first");
    return fieldsRead(from, new Graph([from, ...behind], NODES)).map((path) => path.join("."));
  };
  const call = (more: object, ...wires: string[]) => node("first", "call-out", { target: "-", ...more }, ...wires);

  it("are those of paths, templates, expressions and functions, without what is in front of another", () => {
    const rows = [{ action: "talk", text: "Hello {{payload.name}} {{{payload.name}}}", textType: "mustache" }];
    const func = 'if (msg.payload.tags.includes("x")) msg.payload.made = msg.payload["order no"].length;';
    deepEqual(
      fields(
        call({ toNumber: "payload.customer.phone", toNumberType: "msg", actions: rows, actionsType: "list" }, "second"),
        node("second", "switch", { property: "payload.customer", rules: [{ t: "eq", v: "payload.vip" }] }, "third"),
        node("third", "function", { func, name: "payload.prose" }, "fourth"),
        node("fourth", "change", { rules: [{ t: "set", p: "payload.text", to: "payload.items[0].sku" }] }),
      ),
      ["customer.phone", "name", "vip", "tags", "order no", "items.0.sku"],
    );
  });

  it("are those of a mapping that a hand-written flow leaves out", () => {
    deepEqual(fields(call({})), ["to.number"]);
  });

  it("are those of the list itself, not of its rows", () => {
    const list = (path: string) =>
      node(
        "first",
        "call-list",
        { list: path, listType: "msg", toNumber: "payload.number", toNumberType: "msg" },
        "second",
      );
    const later = node("second", "template", { template: "{{payload.later}}" });
    deepEqual([fields(list("payload"), later), fields(list("payload.rows"), later)], [[], ["rows"]]);
  });

  it("are none behind what puts another payload in its place", () => {
    const later = node("second", "template", { template: "{{payload.later}}" });
    for (const between of [
      call({ target: "payload", toNumber: "1", toNumberType: "str" }, "second"),
      node("first", "change", { rules: [{ t: "set", p: "payload", pt: "msg", to: "x" }] }, "second"),
      node("first", "function", { func: "return { payload: 1 };" }, "second"),
    ])
      deepEqual(fields(between, later), [], between.type);
  });
});
