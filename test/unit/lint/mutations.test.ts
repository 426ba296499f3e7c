import { deepEqual, equal, ok } from "node:assert/strict";
import { lint } from "../../../src/workshop/lint";
import { NODES } from "../../support/node-types";
import { example, exampleNames } from "../../support/process/examples";
import { MUTATIONS, type TestNode } from "./mutations";

const findingsOf = (nodes: readonly TestNode[]) => lint([{ file: "flows.json", nodes }], NODES);

describe("The findings of the examples", () => {
  for (const name of exampleNames) it(`are none: ${name}`, () => deepEqual(findingsOf(example(name)), []));

  // Each picks by itself, so that a further one changes nothing for the others.
  for (const [what, plant] of Object.entries(MUTATIONS))
    it(`name ${what}, wherever there is something of the kind`, () => {
      let planted = 0;
      for (const [first, name] of exampleNames.entries()) {
        const flow = structuredClone(example(name)) as TestNode[];
        let turn = first;
        const pick = <T>(from: readonly T[]) => from[turn++ % from.length];
        const expected = plant(flow, pick);
        if (!expected) continue;
        planted += 1;
        const findings = findingsOf(flow);
        const found = findings.filter(({ nodeId, rule }) => nodeId === expected.nodeId && rule === expected.rule);
        equal(found.length, 1, `${name}: ${JSON.stringify(findings, null, 1)}`);
        for (const { message } of found) {
          ok(/^[A-Z_].*\.$/.test(message), message);
          ok(!/__|undefined|errors\./.test(message), message);
        }
      }
      ok(planted > 0, "in no example");
    });
});
