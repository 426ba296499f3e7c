import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REQUESTS } from "../interface/requests";
import { NODE_TYPES } from "../support/node-types";
import { example, exampleNames } from "../support/process/examples";
import { root } from "../support/root";
import { assertValid, type Part, problemsOf, read, schemaFolder } from "../support/schemas";

const PARTS: readonly Part[] = ["node", "input", "output", "error"];

describe("The schemas", () => {
  it("are one for each node type, and listed", () => {
    const files = NODE_TYPES.map((type) => `${type}.json`);
    assert.deepEqual(read("index.json"), Object.fromEntries(NODE_TYPES.map((type) => [type, `${type}.json`])));
    assert.deepEqual(readdirSync(schemaFolder).sort(), [...files, "index.json"].sort());
  });

  for (const type of NODE_TYPES)
    it(`have the parts of ${type}, of which the root is the node`, () => {
      const { $schema, $ref, $defs } = read(`${type}.json`) as Record<string, object>;
      assert.deepEqual([$schema, $ref], ["https://json-schema.org/draft/2020-12/schema", "#/$defs/node"]);
      assert.deepEqual(Object.keys($defs ?? {}), PARTS);
      for (const part of PARTS) problemsOf(type, part, {});
    });

  for (const name of exampleNames)
    it(`accept the nodes and the injected messages of the example ${name}`, () => {
      const flow = example(name);
      const byId = new Map(flow.map((node) => [node.id, node]));
      for (const node of flow) {
        assertValid(node.type, "node", node);
        if (node.type !== "inject") continue;
        for (const to of ((node["wires"] as string[][]) ?? []).flat())
          assertValid(byId.get(to)?.type ?? "", "input", injected(node["props"] as Prop[]));
      }
    });

  it("accept flow files of earlier versions, and variables", () => {
    const flow = JSON.parse(readFileSync(join(root, "test/support/fixtures/flow-0.1.0.json"), "utf8"));
    for (const node of flow as { type: string }[]) assertValid(node.type, "node", node);
    assertValid("telephony-tenant", "node", {
      id: "t",
      type: "telephony-tenant",
      timeout: "${SECONDS}",
      mode: "${MODE}",
    });
  });

  for (const { title, node, payload } of REQUESTS)
    it(`accept the message of ${title}`, () => {
      assertValid(String(node["type"]), "input", { payload });
      assertValid(String(node["type"]), "node", { id: "n1", ...node });
    });

  for (const [what, type, part, value] of [
    ["a misspelt property", "call-out", "node", { id: "n", type: "call-out", toNumbr: "1" }],
    ["a wrong choice", "call-transfer", "node", { id: "n", type: "call-transfer", mode: "warm" }],
    ["a choice of a pair", "call-out", "node", { id: "n", type: "call-out", toKind: "queue", toKindType: "str" }],
    ["a number out of range", "telephony-tenant", "node", { id: "n", type: "telephony-tenant", timeout: 601 }],
    ["another type", "call-out", "node", { id: "n", type: "call-stop" }],
    ["an unknown input type", "call-out", "node", { id: "n", type: "call-out", toNumber: "1", toNumberType: "text" }],
    ["a party that is none", "call-out", "input", { payload: { to: { type: "queue" } } }],
    ["a code that the node cannot give", "call-stop", "error", { message: "", code: "ERR_DUPLICATE", cause: {} }],
    ["a message to a node without an input", "business-hour-trigger", "input", {}],
  ] as const)
    it(`refuse ${what}`, () => assert.notDeepEqual(problemsOf(type, part, value), []));
});

interface Prop {
  readonly p: string;
  readonly v?: string;
  readonly vt?: string;
}

/** The message of an Inject node, as far as it is the same each time. */
function injected(props: readonly Prop[] = []): Record<string, unknown> {
  const values = props.flatMap(({ p, v = "", vt }): [string, unknown][] => {
    if (vt === "json") return [[p, JSON.parse(v)]];
    if (vt === "num") return [[p, Number(v)]];
    if (vt === "bool") return [[p, v === "true"]];
    return vt === "str" ? [[p, v]] : [];
  });
  return Object.fromEntries(values);
}
