// npm run test:matrix                    all that users may have, the rows of matrix.json
// npm run test:matrix -- --ends          the oldest and the newest of it
// npm run test:matrix -- --row "20 4.1"  one row, by its name
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { build } from "./built.mjs";
import { needInstalled, needNode, refuse, root } from "./preconditions.mjs";

/** Each row a Node, a Node-RED, and the undici that npm should choose for them. */
const MATRIX = JSON.parse(readFileSync(join(root, "scripts", "matrix.json"), "utf8"));

/** What the tests need. */
const PIECES = [
  "dist",
  "resources",
  "examples",
  "package.json",
  ".mocharc.json",
  "locales",
  "test/support/faults/certs",
];
const MOCHA = "node_modules/mocha/bin/mocha.js";
/** All nodes through Node-RED's own test helper; a flow through a Node-RED process with the tarball installed in it. */
const TESTS = ["dist/test/nodes/**/*.test.js", "dist/test/process/flow.test.js"];

needNode("20.18.1", "The matrix");
needInstalled("typescript", "mocha");
const chosen = choose(process.argv.slice(2));
build("--tests");
const packed = mkdtempSync(join(tmpdir(), "telephony-packed-"));
process.once("exit", () => rmSync(packed, { recursive: true, force: true }));
process.env.TARBALL = command(root, "node", "scripts/pack.mjs", packed).trim();
const rows = chosen.map((entry) => ({ ...entry, ...run(entry) }));
console.log("\n| Node | Node-RED | undici | passed | failed |\n|---|---|---|---|---|");
for (const row of rows)
  console.log(`| ${row.is.node} | ${row.is.nodeRed} | ${row.is.undici} | ${row.passed} | ${row.failed} |`);
process.exitCode = rows.every(({ failed }) => failed === 0) ? 0 : 1;

function choose([option, name]) {
  if (option === undefined) return MATRIX;
  if (option === "--ends") return MATRIX.filter(({ end }) => end);
  const row = option === "--row" && MATRIX.find((entry) => entry.name === name);
  if (!row)
    refuse(`Takes nothing, --ends, or --row with one of ${MATRIX.map((entry) => `"${entry.name}"`).join(", ")}.`);
  return [row];
}

/** Installs one combination into an empty folder, with npm on that very Node, and runs the tests there. */
function run({ node, nodeRed, undici }) {
  const folder = mkdtempSync(join(tmpdir(), "telephony-matrix-"));
  try {
    for (const piece of PIECES) cpSync(join(root, piece), join(folder, piece), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { devDependencies } = manifest;
    const tools = Object.fromEntries(
      ["node-red-node-test-helper", "fast-check"].map((name) => [name, devDependencies[name]]),
    );
    // Mocha 12 wants newer Nodes than the package does.
    manifest.devDependencies = { ...tools, mocha: "^11.7.0", "node-red": nodeRed, node };
    manifest.scripts = {};
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    command(folder, "npm", "install", "--no-audit", "--no-fund", "--include=dev", `node@${node}`);
    // Installed again by the Node just installed: what npm chooses depends on the Node that it runs on.
    rmSync(join(folder, "node_modules", "undici"), { recursive: true, force: true });
    rmSync(join(folder, "package-lock.json"), { force: true });
    command(folder, "npm", "install", "--no-audit", "--no-fund", "--include=dev");
    const is = {
      node: command(folder, "node", "--version").trim(),
      nodeRed: version(folder, "node-red"),
      undici: version(folder, "undici"),
    };
    console.log(`\n=== Node ${is.node}, Node-RED ${is.nodeRed}, undici ${is.undici}`);
    const right = is.undici.startsWith(`${undici}.`) && is.node.startsWith(`v${node}`);
    if (!right) console.log(`  1 failing: expected Node ${node} and undici ${undici}`);
    const output = command(folder, "node", MOCHA, "--timeout", "60000", "--exit", ...TESTS);
    const count = (word) => Number(new RegExp(`^ +(\\d+) ${word}`, "m").exec(output)?.[1] ?? 0);
    console.log(output.trimEnd());
    const passed = count("passing");
    return { is, passed, failed: count("failing") + (right ? 0 : 1) + (passed === 0 ? 1 : 0) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function command(folder, name, ...options) {
  const path = [join(folder, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout, stderr, error, status } = spawnSync(name, options, {
    cwd: folder,
    env: { ...env, PATH: path },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  // Failed tests are counted.
  if (status !== 0 && !options.includes(MOCHA)) throw new Error(`${name} ${options.join(" ")} failed:\n${stderr}`);
  return stdout;
}

function version(folder, name) {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
}
