// npm run test:matrix              every supported combination of Node, Node-RED and undici
// npm run test:matrix -- "20 4.1"  some of them, by their Node and Node-RED
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { needNode, refuse, root } from "./preconditions.mjs";

/** `undici` is the major that npm must choose on that Node. .github/workflows/tests.yml has the names of all rows. */
const MATRIX = [
  // Not supported, but Node-RED 4 runs there: the nodes report it, and the process continues.
  { name: "18 4.1", node: "18", nodeRed: "~4.1.0", undici: "8", tests: ["dist/test/process/unfit-platform.test.js"] },
  { name: "20 4.1", node: "20", nodeRed: "~4.1.0", undici: "7" },
  { name: "22.9.0 5", node: "22.9.0", nodeRed: "^5.0.7", undici: "7" },
  { name: "22 5", node: "22", nodeRed: "^5.0.7", undici: "8" },
  { name: "24 5", node: "24", nodeRed: "^5.0.7", undici: "8" },
  { name: "26 5", node: "26", nodeRed: "^5.0.7", undici: "8" },
];

const FILES = [
  ...["dist", "resources", "examples", "locales", "test/interface", "test/support", "scripts/undici.cjs"],
  ".mocharc.json",
];
/** A sample in Node-RED's test helper, and Node-RED processes that have the tarball installed. */
const TESTS = [
  ...["actions", "delivery", "failures", "gate"].map((folder) => `dist/test/nodes/${folder}/**/*.test.js`),
  "dist/test/process/flow.test.js",
  "dist/test/process/unfit-platform.test.js",
  "dist/test/process/webhook/settings.test.js",
];
const MOCHA = ["node_modules/mocha/bin/mocha.js", "--exit"];
const INSTALL = ["install", "--no-audit", "--no-fund", "--include=dev"];

needNode("20.18.1", "The matrix");
const names = process.argv.slice(2);
const rows = MATRIX.filter(({ name }) => names.length === 0 || names.includes(name));
if (rows.length < names.length) refuse(`The rows are ${MATRIX.map(({ name }) => `"${name}"`).join(", ")}.`);
const temporary = mkdtempSync(join(tmpdir(), "telephony-matrix-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
const PACK = ["pack", "--ignore-scripts", "--pack-destination", temporary];
process.env.TARBALL = join(temporary, (await command(root, "npm", PACK)).trim());
// Side by side: an installation waits for the network, and most tests wait for something.
const results = await Promise.all(rows.map((row, index) => run(row, join(temporary, String(index)))));
console.log("\n| Node | Node-RED | undici | passed | failed |\n|---|---|---|---|---|");
for (const cells of results) console.log(`| ${cells.join(" | ")} |`);
process.exitCode = results.every((cells) => cells.at(-1) === 0) ? 0 : 1;

/** Installs one combination into an empty folder and runs the tests there. */
async function run({ node, nodeRed, undici, tests = TESTS }, folder) {
  for (const file of FILES) cpSync(join(root, file), join(folder, file), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const used = ["ajv", "fast-check", "js-yaml", "node-red-node-test-helper"];
  const ours = Object.fromEntries(used.map((name) => [name, manifest.devDependencies[name]]));
  // Mocha 12 needs a newer Node than the package does.
  const tools = { ...ours, mocha: "^11.7.0", "node-red": nodeRed };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, devDependencies: tools, scripts: {} }));
  // The row's Node comes first, because npm chooses versions for the Node that it runs on.
  const runtime = join(folder, "runtime");
  mkdirSync(runtime);
  writeFileSync(join(runtime, "package.json"), "{}");
  await command(runtime, "npm", [...INSTALL, `node@${node}`]);
  await command(folder, "npm", INSTALL, runtime);

  const version = (name) =>
    JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
  const is = [(await command(folder, "node", ["--version"], runtime)).trim(), version("node-red"), version("undici")];
  const isAsked = is[0].startsWith(`v${node}`) && is[2].startsWith(`${undici}.`);
  const output = await command(folder, "node", [...MOCHA, ...tests], runtime);
  console.log(`\n=== Node ${is[0]}, Node-RED ${is[1]}, undici ${is[2]}`);
  if (!isAsked) console.log(`  1 failing: expected Node ${node} and undici ${undici}`);
  console.log(output.trimEnd());
  const count = (word) => Number(new RegExp(`^ +(\\d+) ${word}`, "m").exec(output)?.[1] ?? 0);
  rmSync(folder, { recursive: true, force: true });
  return [...is, count("passing"), count("failing") + (isAsked ? 0 : 1) + (count("passing") === 0 ? 1 : 0)];
}

async function command(folder, name, args, runtime = root) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const path = [join(runtime, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  const options = { cwd: folder, env: { ...env, PATH: path }, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(name, args, options)).stdout;
  } catch (error) {
    // Mocha's failures are counted; without a test it has failed itself.
    if (args[0] === MOCHA[0] && / passing/.test(error.stdout)) return error.stdout;
    throw new Error(`${name} ${args.join(" ")} failed:\n${error.stderr || error.message}`);
  }
}
