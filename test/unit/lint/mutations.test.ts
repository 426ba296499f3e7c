import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { lint } from "../../../src/workshop/lint";
import { NODES } from "../../support/node-types";
import { example, exampleNames } from "../../support/process/examples";
import { MUTATIONS, type TestNode } from "./mutations";

const HOW_MANY = 400;
const findingsOf = (nodes: readonly TestNode[]) => lint([{ file: "flows.json", nodes }], NODES);

describe("The findings of the examples", () => {
  for (const name of exampleNames) it(`are none: ${name}`, () => deepEqual(findingsOf(example(name)), []));

  it(`name what was planted, in ${HOW_MANY} of ${HOW_MANY}`, () => {
    const planted = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.constantFrom(...exampleNames),
        fc.constantFrom(...Object.keys(MUTATIONS)),
        fc.infiniteStream(fc.nat()),
        (name, what, numbers) => {
          const flow = structuredClone(example(name)) as TestNode[];
          const before = findingsOf(flow).map(({ rule, nodeId }) => `${rule} ${nodeId}`);
          const pick = <T>(from: readonly T[]) => from[Number(numbers.next().value) % from.length];
          const expected = MUTATIONS[what]?.(flow, pick);
          // The example has nothing of the kind.
          fc.pre(expected !== undefined && !before.includes(`${expected.rule} ${expected.nodeId}`));
          planted.set(what, (planted.get(what) ?? 0) + 1);
          const found = findingsOf(flow).filter(
            ({ nodeId, rule }) => nodeId === expected?.nodeId && rule === expected.rule,
          );
          equal(found.length, 1, `${name}: ${what}: ${JSON.stringify(findingsOf(flow), null, 1)}`);
          for (const { message } of found) {
            ok(/^[A-Z_].*\.$/.test(message), message);
            ok(!/__|undefined|errors\./.test(message), message);
          }
        },
      ),
      { numRuns: HOW_MANY, seed: 24, maxSkipsPerRun: 500 },
    );
    deepEqual([...planted.keys()].sort(), Object.keys(MUTATIONS).sort());
  });
});
