// npm test                   every test that needs only Node and npm
// npm run test:browser       the suite in test/browser; -- --node-red 4.1 runs it on another Node-RED
// npm test -- --grep hours   what follows the dashes goes to mocha
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { build } from "./built.mjs";
import { otherNodeRed } from "./other-node-red.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

/** The suite with a command of its own, since it needs more than Node and npm. */
const APART = "browser";

/**
 * The groups that run side by side, the longest first: most tests wait for a process, a deadline or a pause. What meets
 * undici runs on both majors that users may have.
 */
const CLIENT = /^dist\/test\/unit\/tenant\//;
const GROUPS = [
  { name: "client, undici 7", undici: "undici", takes: CLIENT },
  { name: "client, undici 8", undici: "undici-8", takes: CLIENT },
  { name: "processes", undici: "undici", takes: /^dist\/test\/process\// },
  { name: "hours", undici: "undici", takes: /^dist\/test\/unit\/hours\// },
  { name: "everything else", undici: "undici", takes: /^(?!dist\/test\/(unit\/(tenant|hours)|process)\/)/ },
];

/** Groups at once; more would only wait for each other. */
const AT_ONCE = 3;

/** Longest run of one group. Mocha waits for whatever a test leaves open, so that it shows. */
const LIMIT_MINUTES = 15;

needNode("22.9.0", "The test suite, which starts Node-RED 5,");
needInstalled("typescript", "mocha", "node-red", "undici-8");
build("--tests");

const [first = "", ...rest] = process.argv.slice(2);
const version = rest.indexOf("--node-red");
if (version >= 0) {
  process.env.NODE_RED = otherNodeRed(rest[version + 1]);
  rest.splice(version, 2);
}
if (first === APART) await run({ name: APART, undici: "undici" }, [`dist/test/${APART}/**/*.test.js`, ...rest]);
else {
  const files = globSync("dist/test/**/*.test.js", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.startsWith(`dist/test/${APART}/`))
    .sort();
  const waiting = [...GROUPS];
  const work = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      await run(group, [...files.filter((file) => group.takes.test(file)), ...process.argv.slice(2)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Runs one group and prints what it said when it is over, so that groups do not talk at once. */
async function run({ name, undici }, options) {
  const mocha = ["node_modules/mocha/bin/mocha.js", "--require", "./scripts/undici.cjs", ...options];
  const started = performance.now();
  const child = spawn(process.execPath, mocha, {
    cwd: root,
    env: { ...process.env, UNDICI: undici },
    timeout: LIMIT_MINUTES * 60_000,
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`\n--- ${name} (${seconds} s)\n${Buffer.concat(said)}`);
  if (code === null) {
    process.stdout.write(
      `The tests of "${name}" did not end within ${LIMIT_MINUTES} minutes: one leaves something open.\n`,
    );
  }
  if (code !== 0) process.exitCode = 1;
}
