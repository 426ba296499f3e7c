import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shippedAs } from "../../src/build/catalogue";
import { NODE_TYPES, PALETTE } from "../support/node-types";
import { example, exampleNames } from "../support/process/examples";
import type { FlowNode } from "../support/process/node-red";
import { root } from "../support/root";

const languages = readdirSync(join(root, "locales")).map(shippedAs);
const flows = exampleNames.map((name) => ({ name, nodes: example(name) }));

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** A file that must exist, with a sentence for the developer who forgot it. */
function mustExist(file: string, what: string): void {
  assert.ok(existsSync(join(root, file)), `${what} is missing: ${file}`);
}

describe("the package's continuous integration", () => {
  it("has a job for each row of the matrix", () => {
    const rows = [...read("scripts/matrix.mjs").matchAll(/\{ name: "([^"]+)"/g)].map(([, name]) => name);
    const jobs = [...read(".github/workflows/tests.yml").matchAll(/run test:matrix -- "([^"]+)"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(jobs, rows);
  });
});

describe("the package: every node is whole", () => {
  it("each source in nodes/ is registered by nodes/index.ts", () => {
    for (const file of readdirSync(join(root, "nodes"))) {
      const type = file.replace(/\.(ts|html)$/, "");
      assert.ok(type === "index" || NODE_TYPES.includes(type), `nodes/index.ts does not register "${type}"`);
    }
  });

  const dialogs = read("dist/nodes/index.html");

  for (const type of NODE_TYPES) {
    describe(type, () => {
      it("has a dialog, and an icon in the palette", () => {
        const [, definition = ""] = dialogs.split(`RED.nodes.registerType("${type}"`);
        assert.notEqual(definition, "", `nodes/${type}.html does not register "${type}"`);
        const [, icon = ""] = /^\s*icon: "([^"]+)"/m.exec(definition) ?? [];
        if (PALETTE.includes(type) && !icon.startsWith("font-awesome/"))
          mustExist(`dist/nodes/icons/${icon}`, "The icon");
      });

      for (const language of languages) {
        it(`has texts and help in ${language}`, () => {
          assert.ok(
            type in JSON.parse(read(`dist/nodes/locales/${language}/index.json`)),
            "The catalogue has no texts",
          );
          assert.ok(read(`dist/nodes/locales/${language}/index.html`).includes(`data-help-name="${type}"`), "no help");
        });
      }
    });
  }
});

/** Every text of the dialogs, in English. */
const dialogTexts = new Set<string>();
JSON.parse(read("locales/en-US/telephony.json"), (_, value) => {
  if (typeof value === "string") dialogTexts.add(value.toLowerCase());
  return value;
});

describe("the package: every example can be imported beside the others", () => {
  const owners = new Map<string, string>();

  for (const { name, nodes: flow } of flows) {
    describe(name, () => {
      const of = (type: string) => flow.filter((node) => node.type === type);
      const property = (node: FlowNode, key: string) => node[key] as string | undefined;

      it("has ids that no other example has", () => {
        for (const { id, type } of flow) {
          assert.equal(owners.get(id), undefined, `The ${type} ${id} is also in "${owners.get(id)}"`);
          owners.set(id, name);
        }
      });

      it("is one tab, named and described, with a comment that says what to do", () => {
        const [tab, ...others] = of("tab");
        assert.ok(tab && others.length === 0, "It is not one tab");
        assert.ok(property(tab, "label") && property(tab, "info"), "Its tab lacks a name or a description");
        assert.ok(
          of("comment").some((node) => (property(node, "info") ?? "").length > 100),
          "It has no comment node whose description says how to try it, and what to change for real use",
        );
        assert.ok(
          of("comment").some((node) => (property(node, "info") ?? "").includes("*Telephony*")),
          "Its comment does not say that the sidebar tab *Telephony* shows what the sandbox does",
        );
        for (const node of flow) if ("z" in node) assert.equal(property(node, "z"), tab.id, `${node.type} ${node.id}`);
      });

      it("has a position for every node, and no dangling wires", () => {
        const ids = new Set(flow.map(({ id }) => id));
        for (const node of flow) {
          if (["tab", "telephony-tenant"].includes(node.type)) continue;
          assert.ok(
            Number.isInteger(node["x"]) && Number.isInteger(node["y"]),
            `${node.type} ${node.id} has no x and y`,
          );
          const ends = [
            ...((node["wires"] as string[][] | undefined) ?? []).flat(),
            ...((node["links"] as string[]) ?? []),
          ];
          for (const end of ends) assert.ok(ids.has(end), `${node.type} ${node.id} is wired to nothing`);
        }
      });

      it("describes itself with the names of nodes, fields and examples", () => {
        const nodes = flow.flatMap((node) => Object.values(node));
        for (const { info } of flow as { info?: string }[]) {
          for (const [, named = ""] of info?.matchAll(/(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)/g) ?? []) {
            const isThere =
              nodes.includes(named) || exampleNames.includes(named) || dialogTexts.has(named.toLowerCase());
            assert.ok(
              isThere,
              `"${named}" is no node and no value of the example, no field of a dialog and no example`,
            );
          }
        }
      });

      it("uses its own tenants: sandboxes, named as such", () => {
        const tenants = of("telephony-tenant");
        assert.ok(tenants.length > 0, "It has no tenant");
        for (const tenant of tenants) {
          assert.equal(property(tenant, "mode"), "sandbox");
          assert.match(property(tenant, "name") ?? "", /sandbox/i);
          assert.equal(property(tenant, "credentials"), undefined);
        }
        const used = flow.filter((node) => "tenant" in node).map((node) => property(node, "tenant"));
        assert.deepEqual(new Set(used), new Set(tenants.map(({ id }) => id)));
      });

      it("has a sandbox at any free port, or at a port of its own", () => {
        for (const { id, sandboxPort } of of("telephony-tenant")) {
          if (sandboxPort === "0") continue;
          // The one of `npm start`.
          assert.notEqual(sandboxPort, "4010");
          const others = flows.flatMap(({ nodes }) => nodes).filter((node) => node["sandboxPort"] === sandboxPort);
          assert.deepEqual(
            others.map((node) => node.id),
            [id],
          );
          for (const request of of("http request")) {
            assert.ok(property(request, "url")?.startsWith(`http://127.0.0.1:${sandboxPort}/sandbox/`));
          }
        }
      });

      it("can be started without a shell", () => {
        assert.ok(of("inject").length > 0, "It has no Inject node to click");
      });

      it("has no number that could be dialled", () => {
        // Ids are hexadecimal and may have many digits in a row.
        const ofIds = ["id", "z", "g", "wires", "nodes", "links", "scope", "tenant"];
        const all = JSON.stringify(flow, (key, value) => (ofIds.includes(key) ? undefined : value));
        // Dates of an iCalendar text have eight digits.
        const texts = all.replace(/(DTSTAMP|DTSTART|DTEND)([;A-Z=]*):\d{8}(T\d{6}Z?)?\b/g, "$1");
        assert.deepEqual(
          (texts.match(/\d{7,}/g) ?? []).filter((digits) => !/^0+$/.test(digits)),
          [],
        );
      });

      it("returns no error as a whole", () => {
        for (const node of [...of("change"), ...of("template"), ...of("function")]) {
          assert.doesNotMatch(
            JSON.stringify(node),
            /"to":"(msg\.)?error","tot":"msg"|:\s*error\s*[,}]/,
            property(node, "name"),
          );
        }
      });
    });
  }

  it("has webhooks with a secret from the environment, on at most 150 nodes of twelve flows", () => {
    const receiving = flows.filter(({ nodes }) =>
      nodes.some(({ type }) => type === "telephony-webhook" || type === "http in"),
    );
    const drawn = receiving.flatMap(({ nodes }) => nodes.filter(({ type }) => type !== "group" && type !== "tab"));
    assert.equal(receiving.length, 12);
    assert.ok(drawn.length <= 150, String(drawn.length));
    for (const { type, credentials } of drawn)
      if (type === "telephony-webhook") assert.deepEqual(credentials, { secret: "${CALL_SECRET}" });
  });
});
