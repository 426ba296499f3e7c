import { strict as assert } from "node:assert";
import { ImportedExample } from "../support/browser/imported-example";
import { withEditor } from "../support/browser/with-editor";
import { example, exampleNames } from "../support/process/examples";

/** References to other nodes, whose ids an import makes anew, and addresses of the sandbox, which gets a free port. */
const MADE_ANEW = ["id", "z", "g", "wires", "tenant", "links", "scope", "url"];

describe("The examples, imported one beside the other", () => {
  const editor = withEditor([{ id: "a-tab", type: "tab", label: "What was there" }]);

  for (const name of exampleNames) {
    describe(name, () => {
      let imported: ImportedExample;

      before(async () => {
        imported = await ImportedExample.from(editor, name);
      });

      it("has no node that is unknown or has a red triangle", async () => {
        const nodes = await imported.nodes();
        assert.ok(nodes.some(({ type }) => type === "telephony-tenant"));
        const marked = nodes.filter(({ type, problems }) => type === "unknown" || problems.length > 0);
        assert.deepEqual(
          marked.map(({ type, name, problems }) => ({ type, name, problems })),
          [],
        );
      });

      it("has a badge on each node that asks for a secret or a change, in Node-RED 5", async () => {
        if ((await editor.version()) < 5) return;
        const [asking, shown] = await editor.page.evaluate<[string[], string[]]>(`(() => {
          const nodes = RED.nodes.filterNodes({ z: ${JSON.stringify(imported.tab)} }).filter(({ type }) => type !== "comment");
          const asks = ({ info = "" }) => /^(Change this|Your secret here):/.test(info);
          const hasBadge = ({ id }) => $(document.getElementById(id)).find(".red-ui-flow-node-docs").is(":visible");
          return [nodes.filter(asks), nodes.filter(hasBadge)].map((each) => each.map(({ name }) => name));
        })()`);
        assert.deepEqual(shown, asking);
      });

      it("is drawn without overlaps", async () => {
        const [nodes, groups, wires] = [await imported.nodes(), await imported.groups(), await imported.wires()];
        const drawn = nodes.filter(({ type }) => type !== "telephony-tenant");
        for (const boxes of [drawn, groups]) {
          boxes.forEach((one, index) => {
            const hit = boxes.slice(index + 1).find((other) => {
              const isBeside = one.right <= other.left || other.right <= one.left;
              return !isBeside && one.top < other.bottom && other.top < one.bottom;
            });
            assert.equal(hit?.name, undefined, `overlaps "${one.name}"`);
          });
        }
        assert.ok(wires.length > 0);
        // What Node-RED 5 leaves for the canvas at 1280 × 800.
        if (nodes.some(({ type }) => type === "telephony-webhook"))
          for (const { name, left, right, bottom } of [...drawn, ...groups])
            assert.ok(left >= 0 && right <= 764 && bottom <= 500, `"${name}" is out of sight`);
        for (const { from, to, points } of wires) {
          const hidden = drawn.find(
            ({ id, left, right, top, bottom }) =>
              id !== from && id !== to && points.some(([x, y]) => left < x && x < right && top < y && y < bottom),
          );
          assert.equal(
            hidden?.name,
            undefined,
            `a wire to "${drawn.find(({ id }) => id === to)?.name}" runs behind it`,
          );
        }
      });

      it("has room in its groups for the statuses of its nodes, under no other node", async () => {
        const [nodes, groups] = [await imported.nodes(), await imported.groups()];
        for (const status of await imported.statuses()) {
          const group = groups.find(({ left, right, top, bottom }) => {
            const isWide = left <= status.left && status.right <= right;
            return isWide && top <= status.top && status.bottom <= bottom;
          });
          assert.ok(group, `The status of "${status.name}" sticks out`);
          const hit = nodes.find(({ left, right, top, bottom }) => {
            const isBeside = right <= status.left || status.right <= left;
            return !isBeside && top < status.bottom && status.top < bottom;
          });
          assert.equal(hit?.name, undefined, `is in the way of the status of "${status.name}"`);
        }
      });

      it("is imported with every setting that it ships with", async () => {
        const written = await imported.written();
        for (const node of example(name)) {
          const { type, name: label, x, y } = node;
          if (x === undefined || type === "group") continue;
          const found = written.find((other) => other["type"] === type && other["x"] === x && other["y"] === y);
          const shipped = Object.entries(node).filter(([property]) => !MADE_ANEW.includes(property));
          assert.deepEqual({ ...found, ...Object.fromEntries(shipped) }, found, `${type} "${label}"`);
        }
      });
    });
  }
});
