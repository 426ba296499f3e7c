import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { example, exampleNames } from "../support/process/examples";
import type { FlowNode } from "../support/process/node-red";
import { root } from "../support/root";

/** The edges of something on the canvas. */
interface Box {
  readonly what: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const numberOf = (node: FlowNode, key: string) => node[key] as number;

/**
 * Where a node is. How wide it is depends on the font; this is the least that the editor makes of it, and the browser's
 * tests measure the rest.
 */
function boxOf(node: FlowNode): Box {
  const width = node.type === "junction" ? 10 : node.type.startsWith("link ") ? 30 : 100;
  const height = node.type === "junction" ? 10 : 30;
  const [x, y] = [numberOf(node, "x"), numberOf(node, "y")];
  const what = `${node.type} "${node["name"] ?? ""}"`;
  return { what, left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function frameOf(group: FlowNode): Box {
  const [x, y] = [numberOf(group, "x"), numberOf(group, "y")];
  const what = `group "${group["name"]}"`;
  return { what, left: x, right: x + numberOf(group, "w"), top: y, bottom: y + numberOf(group, "h") };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isWithin(inner: Box, outer: Box): boolean {
  const isWide = inner.left >= outer.left && inner.right <= outer.right;
  return isWide && inner.top >= outer.top && inner.bottom <= outer.bottom;
}

function noneOverlap(boxes: readonly Box[]): void {
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) assert.ok(!overlap(one, other), `${one.what} overlaps ${other.what}`);
  });
}

/** Every text of the dialogs, in English. */
function dialogTexts(): Set<string> {
  const texts = new Set<string>();
  const collect = (_key: string, value: unknown): unknown => {
    if (typeof value === "string") texts.add(value.toLowerCase());
    return value;
  };
  for (const file of globSync("locales/en-US/*.json", { cwd: root })) {
    JSON.parse(readFileSync(join(root, file), "utf8"), collect);
  }
  return texts;
}

describe("the examples on the canvas can be read", () => {
  const texts = dialogTexts();

  for (const name of exampleNames) {
    describe(name, () => {
      const flow = example(name);
      const groups = flow.filter(({ type }) => type === "group");
      const placed = flow.filter((node) => "x" in node && node.type !== "group");
      const working = placed.filter(({ type }) => type !== "comment");

      it("has groups with names, which do not touch, and every node in the box of its own", () => {
        assert.ok(
          groups.length > 0,
          'It has no groups: each of its steps stands in one, named like "1. A call is taken"',
        );
        for (const { id, name } of groups) {
          assert.match(String(name), /^\d\. [A-Z]/, `The group ${id} is not named like "1. A call is taken"`);
        }
        noneOverlap(groups.map(frameOf));
        for (const node of working) {
          const group = groups.find(({ id }) => id === node["g"]);
          assert.ok(group, `${boxOf(node).what} is in no group`);
          assert.ok((group["nodes"] as string[]).includes(node.id), `${frameOf(group).what} does not know its node`);
          assert.ok(isWithin(boxOf(node), frameOf(group)), `${boxOf(node).what} sticks out of ${frameOf(group).what}`);
        }
        const members = groups.flatMap((group) => group["nodes"] as string[]);
        assert.equal(members.length, working.length, "The groups list more nodes than stand in them");
      });

      it("has no two nodes on one place", () => noneOverlap(placed.map(boxOf)));

      it("has wires that go from left to right; a loop goes through Link nodes", () => {
        for (const from of working) {
          for (const id of (from["wires"] as string[][]).flat()) {
            const to = boxOf(flow.find((node) => node.id === id) as FlowNode);
            assert.ok(boxOf(from).right < to.left, `The wire from ${boxOf(from).what} to ${to.what} goes backwards`);
          }
        }
      });

      it("uses the names of nodes, fields and examples", () => {
        const nodes = flow.flatMap((node) => Object.values(node));
        for (const { info } of flow as { info?: string }[]) {
          for (const [, named = ""] of info?.matchAll(/(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)/g) ?? []) {
            const isKnown = nodes.includes(named) || exampleNames.includes(named) || texts.has(named.toLowerCase());
            assert.ok(
              isKnown,
              `"${named}" is no node and no value of the example, no field of a dialog and no example`,
            );
          }
        }
      });

      it("has a name on every node but for those that show their address", () => {
        for (const node of working) {
          if (["http in", "junction"].includes(node.type)) continue;
          assert.ok(node["name"], `${node.type} ${node.id} has no name`);
        }
      });
    });
  }
});
