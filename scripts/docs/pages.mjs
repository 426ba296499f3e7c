import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readHelp } from "./help.mjs";

/** Every page by its path in the repository. The package has been built. */
export function pages(root) {
  const json = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));
  const load = createRequire(import.meta.url);
  const { help } = load("../../dist/src/build/help.js");
  const english = join(root, "locales", "en-US");
  const catalogue = json("locales", "en-US", "telephony.json");
  const nodes = load("../../dist/nodes/index.js").nodes.map((node) => {
    const texts = catalogue[node.type];
    return {
      type: node.type,
      title: texts.inPalette ?? texts.type,
      picture: existsSync(join(root, "docs", "dialogs", `${node.type}-light.png`)),
      ...readHelp(help(english, node)),
    };
  });
  const examples = readdirSync(join(root, "examples"))
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({
      name: file.slice(0, -".json".length),
      types: new Set(json("examples", file).map(({ type }) => type)),
    }));
  return new Map([
    ["docs/README.md", index(nodes)],
    ...nodes.map((node) => [`docs/nodes/${node.type}.md`, page(node, examples)]),
  ]);
}

function index(nodes) {
  return `# Documentation

- [Contract](contract.md): what flows and flow files can rely on, with every property, default and error code
- [The service's interface](service-interface.md): what the telephony service documents, and what it does not
- [Faults](faults.md): what the package must survive, and the test for each
- [The way of a message](message-path.md): from a node's input to its output or error, with the file of each step
- [Upgrading](upgrading.md): what a new version may change, and what to do then
- [Readme](../README.md), [contributing](../CONTRIBUTING.md), [security](../SECURITY.md)

## Nodes

| Node | What it does |
|---|---|
${nodes.map(({ type, intro }) => `| [\`${type}\`](nodes/${type}.md) | ${intro} |`).join("\n")}

These pages are the help that the editor shows in its sidebar. The editor also has it in Vietnamese, German, Japanese and
Chinese. \`npm run docs\` generates them.
`;
}

function dialogPicture(type) {
  return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../dialogs/${type}-dark.png">
  <img alt="The dialog of ${type}" src="../dialogs/${type}-light.png">
</picture>`;
}

function exampleLink({ name }) {
  return `- [${name}](../../examples/${encodeURIComponent(name)}.json)`;
}

function page({ type, title, intro, rest, picture }, examples) {
  const seen = examples.filter(({ types }) => types.has(type));
  const palette = title.replaceAll(" ", "-") === type ? "" : `\n\nIts name in the palette is **${title}**.`;
  return `# ${type}

${intro}${palette}${picture ? `\n\n${dialogPicture(type)}` : ""}

${rest}
${seen.length > 0 ? `\n## Examples\n\n${seen.map(exampleLink).join("\n")}\n` : ""}
---

[All nodes](../README.md)
`;
}
