import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { REQUESTS } from "../interface/requests";
import { NODE_TYPES } from "../support/node-types";
import { example, exampleNames } from "../support/process/examples";
import { assertValid, problemsOf, read, schemaFolder } from "../support/schemas";

describe("The schemas", () => {
  it("are one for each node type, and listed", () => {
    const files = NODE_TYPES.map((type) => `${type}.json`);
    assert.deepEqual(read("index.json"), Object.fromEntries(NODE_TYPES.map((type) => [type, `${type}.json`])));
    assert.deepEqual(readdirSync(schemaFolder).sort(), [...files, "index.json"].sort());
    for (const file of files) {
      const { $schema, $ref, $defs } = read(file) as Record<string, object>;
      assert.deepEqual([$schema, $ref], ["https://json-schema.org/draft/2020-12/schema", "#/$defs/node"]);
      assert.deepEqual(Object.keys($defs ?? {}), ["node"]);
    }
  });

  it("accept the nodes of all examples, those of hand-written flows, and variables", () => {
    for (const node of exampleNames.flatMap(example)) assertValid(node);
    for (const { node } of REQUESTS) assertValid({ type: "", ...node, ...{ id: "n1" } });
    const more = { timeout: "${SECONDS}", mode: "${MODE}" };
    assertValid({ id: "t", type: "telephony-tenant", ...more } as { type: string });
  });

  for (const [what, type, node] of [
    ["a misspelt property", "call-out", { id: "n", type: "call-out", toNumbr: "1" }],
    ["a wrong choice", "call-transfer", { id: "n", type: "call-transfer", mode: "warm" }],
    ["a choice of a pair", "call-out", { id: "n", type: "call-out", toKind: "queue", toKindType: "str" }],
    ["a number out of range", "telephony-tenant", { id: "n", type: "telephony-tenant", timeout: 601 }],
    ["another type", "call-out", { id: "n", type: "call-stop" }],
    ["a value without its type", "call-out", { id: "n", type: "call-out", toNumber: "1" }],
    ["a type without its value", "call-out", { id: "n", type: "call-out", toNumberType: "str" }],
    ["an unknown input type", "call-out", { id: "n", type: "call-out", toNumber: "1", toNumberType: "text" }],
  ] as const)
    it(`refuse ${what}`, () => assert.notDeepEqual(problemsOf(type, node), []));
});
