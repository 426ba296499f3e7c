// npm run docs               a page for each node into docs/nodes, made of its help text and the pictures of its dialog
// npm run docs -- --check    writes nothing, and fails when a page is not what it would write
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { refuse, root } from "./preconditions.mjs";

const require = createRequire(import.meta.url);
const { help } = require("../dist/src/build/help.js");
const english = join(root, "locales", "en-US");
const catalogue = require(join(english, "telephony.json"));
const nodes = require("../dist/nodes/index.js").nodes.map((node) => {
  const [intro, ...rest] = help(english, node).trim().split("\n\n");
  const title = catalogue[node.type].inPalette ?? catalogue[node.type].type;
  return { type: node.type, title, intro: intro.replaceAll("\n", " "), rest: rest.map(plain).join("\n\n") };
});
const examples = readdirSync(join(root, "examples"))
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({ file, flows: require(join(root, "examples", file)) }));

const folder = join(root, "docs", "nodes");
mkdirSync(folder, { recursive: true });
const pages = new Map([
  [join(root, "docs", "README.md"), index()],
  ...nodes.map((node) => [join(folder, `${node.type}.md`), page(node)]),
]);
const stale = [...pages].filter(([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text);
const left = readdirSync(folder).filter((name) => !pages.has(join(folder, name)));
if (process.argv.includes("--check")) {
  const wrong = [...stale.map(([file]) => file), ...left];
  if (wrong.length > 0) refuse(`Not current: ${wrong.join(", ")}; run \`npm run docs\`.`);
} else {
  for (const [file, text] of stale) writeFileSync(file, text);
  for (const name of left) rmSync(join(folder, name));
  process.stdout.write(`${pages.size} pages, ${stale.length} of them changed\n`);
}

/** Plain Markdown: Node-RED's own has lists of properties, `: name (type) : what it is`, which GitHub does not show. */
function plain(block) {
  return block
    .replace(/^### /gm, "## ")
    .replace(
      /^: (\S.*?) \(([^)]*)\) : /gm,
      (_, names, types) => `- \`${names.replaceAll(", ", "`, `")}\` *(${types})*: `,
    );
}

function index() {
  return `# Documentation

- [Contract](contract.md): what flows and flow files can rely on, with every property, default and error code
- The [sandbox](contract.md#sandbox) of the contract: [its phones](contract.md#phones), [its clock](contract.md#clock),
  [its requests](contract.md#requests-of-the-sandbox), [its page](contract.md#the-sandboxs-page) and
  [the tab in the editor](contract.md#the-sidebar-tab)
- [Metrics](contract.md#metrics): counts and durations, for the tab, Prometheus and OpenTelemetry
- [The service's interface](service-interface.md): what the telephony service documents, and what it does not
- [Faults](faults.md): faults that the package must survive, and the test for each
- [Principles](principles.md): the rules behind the code, the words we use, how we write and test
- [The path of a message](message-path.md): from a node's input to its output or error, with the file of each step
- [Calls that survive a crash, on one machine and on many](scale.md): the engines of the backlog, Redis, Docker Compose
- [Upgrading](upgrading.md): what a new version may change, and what to do then
- [Reports for other projects](upstream.md): how undici fails on an unrequested \`100 Continue\`
- [Readme](../README.md), [contributing](../CONTRIBUTING.md), [security](../SECURITY.md)

## Nodes

| Node | What it does |
|---|---|
${nodes.map(({ type, intro }) => `| [\`${type}\`](nodes/${type}.md) | ${intro} |`).join("\n")}

These pages are the help that the editor shows in its sidebar. The editor also has it in Vietnamese, German, Japanese and
Chinese. \`npm run docs\` generates them.
`;
}

function page({ type, title, intro, rest }) {
  const palette = title.replaceAll(" ", "-") === type ? "" : `\n\nIts name in the palette is **${title}**.`;
  const shown = examples.filter(({ flows }) => flows.some((node) => node.type === type));
  const links = shown.map(({ file }) => `- [${file.slice(0, -5)}](../../examples/${encodeURIComponent(file)})`);
  return `# ${type}

${intro}${palette}

${picture(type)}${rest}

## Examples

${links.join("\n")}

---

[All nodes](../README.md)
`;
}

/** The pictures are taken before a release: a new node has none yet. */
function picture(type) {
  if (!existsSync(join(root, "docs", "dialogs", `${type}-light.png`))) return "";
  return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../dialogs/${type}-dark.png">
  <img alt="The dialog of ${type}" src="../dialogs/${type}-light.png">
</picture>

`;
}
