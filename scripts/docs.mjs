// npm run docs               a page for each node into docs/nodes, made of its help text and the pictures of its dialog; tables of nodes
// npm run docs -- --check    writes nothing, and fails when a page is not what it would write
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { refuse, root } from "./preconditions.mjs";

const require = createRequire(import.meta.url);
const { help } = require("../dist/src/build/help.js");
const english = join(root, "locales", "en-US");
const catalogue = require(join(english, "telephony.json"));
const nodes = require("../dist/nodes/index.js").nodes.map((node) => {
  const [intro, ...rest] = help(english, node).trim().split("\n\n");
  const title = catalogue[node.type].type;
  return { type: node.type, title, intro: intro.replaceAll("\n", " "), rest: rest.map(plain).join("\n\n") };
});
const examples = readdirSync(join(root, "examples"))
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({ file, flows: require(join(root, "examples", file)) }));

const folder = join(root, "docs", "nodes");
const badges = join(root, "docs", "icons");
const icons = readdirSync(join(root, "icons"));
for (const made of [folder, badges]) mkdirSync(made, { recursive: true });
const manifest = require(join(root, "package.json"));
const pages = new Map([
  [join(root, "llms.txt"), llms()],
  ...["docs", "docs/contract"].map((place) => [join(root, place, "README.md"), index(place)]),
  ...nodes.map((node) => [join(folder, `${node.type}.md`), page(node)]),
  ...icons.map((file) => [join(badges, file), badge(file)]),
]);
const stale = [...pages].filter(([file, text]) => !existsSync(file) || readFileSync(file, "utf8") !== text);
const left = [folder, badges]
  .flatMap((made) => readdirSync(made).map((name) => join(made, name)))
  .filter((file) => !pages.has(file));
if (process.argv.includes("--check")) {
  const wrong = [...stale.map(([file]) => file), ...left];
  if (wrong.length > 0) refuse(`Not current: ${wrong.join(", ")}; run \`npm run docs\`.`);
} else {
  for (const [file, text] of stale) writeFileSync(file, text);
  for (const file of left) rmSync(file);
  process.stdout.write(`${pages.size} pages, ${stale.length} of them changed\n`);
}

/** An icon on the colour of its node: the icon itself is white. */
function badge(file) {
  const icon = readFileSync(join(root, "icons", file), "utf8");
  return icon
    .replace('width="40" height="60" viewBox="0 0 40 60"', 'width="40" height="40" viewBox="0 10 40 40"')
    .replace(">", '><rect y="10" width="40" height="40" rx="8" fill="#69aea6"/>');
}

/** Writes plain Markdown: Node-RED's own has lists of properties, `: name (type) : what it is`, which GitHub does not show. */
function plain(block) {
  return block
    .replace(/^### /gm, "## ")
    .replace(
      /^: (\S.*?) \(([^)]*)\) : /gm,
      (_, names, types) => `- \`${names.replaceAll(", ", "`, `")}\` *(${types})*: `,
    );
}

/** Writes the page that a language model reads first: https://llmstxt.org. Relative links lead to what the package contains. */
function llms() {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const raw = `${repository.replace("https://github.com", "https://raw.githubusercontent.com")}/main`;
  const line = (title, address, text) => `- [${title}](${address})${text && `: ${text}`}`;
  const files = globSync(["docs/*.md", "docs/contract/README.md"], { cwd: root })
    .filter((file) => file !== "docs/README.md")
    .sort()
    .map((file) => [file, readFileSync(join(root, file), "utf8")]);
  const isShipped = ([file]) => manifest.files.some((shipped) => file === shipped || file.startsWith(`${shipped}/`));
  const linked = ([file, text]) =>
    line(/^# (.*)$/m.exec(text)[1], isShipped([file]) ? file : `${raw}/${file}`, firstSentence(text));
  const contract = (file) =>
    readFileSync(join(root, "docs/contract", file), "utf8").replaceAll(/\]\((?=[a-z-]+\.md)/g, "](docs/contract/");
  const messages = contract("messages.md");
  const table = (heading) => new RegExp(`^## ${heading}\n\n((?:\\|.*\n)+)`, "m").exec(messages)[1];
  return `# ${manifest.name}

> ${manifest.description}

${readFileSync(join(root, "scripts", "llms.md"), "utf8").trim()}

## Errors

${table("Error codes")}
\`msg.error.cause\`, with what applies:

${table("The cause")}
## Nodes

${nodes.map(({ type, intro }) => line(type, `dist/schema/${type}.json`, intro)).join("\n")}

## Documentation

${files.filter(isShipped).map(linked).join("\n")}
${contract("README.md")
  .match(/^- \[.*/gm)
  .join("\n")}
${line("Changelog", "CHANGELOG.md", "what each version changes")}

## Examples

${examples.map(({ file, flows }) => line(file.slice(0, -5), `examples/${encodeURIComponent(file)}`, firstSentence(tabOf(flows)))).join("\n")}

## Optional

${nodes.map(({ type, title }) => line(`Help of ${type}`, `${raw}/docs/nodes/${type}.md`, `the help of the node *${title}*`)).join("\n")}
${files
  .filter((file) => !isShipped(file))
  .map(linked)
  .join("\n")}
${line("Readme", "README.md", "what the package is, and how to begin")}
${line("Contributing", `${raw}/CONTRIBUTING.md`, "where things are in the repository")}
${line("Security", `${raw}/SECURITY.md`, "how to report a vulnerability")}
`;
}

/** The first sentence of a text's first paragraph, without links and emphasis. */
function firstSentence(text) {
  const prose = text.split(/\n\n+/).find((block) => !/^[#|<`-]/.test(block)) ?? "";
  const plain = prose
    .replaceAll("\n", " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("*", "");
  return /^.*?[.?](?= |$)/.exec(plain)?.[0] ?? plain;
}

function tabOf(flows) {
  return flows.find(({ type }) => type === "tab")?.info ?? "";
}

/** The first page of a folder, of which the table of the nodes is made. */
function index(place) {
  const named = (type) => (place === "docs" ? `[\`${type}\`](nodes/${type}.md)` : `\`${type}\``);
  const rows = nodes.map(({ type, intro }) => `| ${named(type)} | ${intro} |\n`);
  const table = /(?<=\| Node \| What it does \|\n\|---\|---\|\n)(\|.*\n)*/;
  return readFileSync(join(root, place, "README.md"), "utf8").replace(table, () => rows.join(""));
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
