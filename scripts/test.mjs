// npm test                   every test that needs only Node and npm
// npm run test:browser       the tests in test/browser; -- --node-red 4.1 runs them on another Node-RED
// npm run test:redis         the tests in test/redis, which start a redis-server
// npm test -- --grep hours   passes options on to mocha
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { needNode, refuse, root } from "./preconditions.mjs";

const files = (folder) => `dist/test/${folder}/**/*.test.js`;
const except = (...folders) => folders.flatMap((folder) => ["--ignore", files(folder)]);

/**
 * Groups that run in parallel, the longest first, since most tests wait for a process, a deadline or a pause. What uses
 * undici runs on both supported majors.
 */
const GROUPS = [
  { name: "client, undici 7", mocha: [files("unit/tenant")] },
  { name: "client, undici 8", mocha: [files("unit/tenant")], undici: "undici-8" },
  { name: "processes", mocha: [files("process")] },
  { name: "hours", mocha: [files("unit/hours")] },
  {
    name: "everything else",
    mocha: ["dist/test/**/*.test.js", ...except("unit/tenant", "process", "unit/hours", "browser", "redis")],
  },
];
/** Groups that need more than Node and npm, by their argument. */
const WITH_MORE = {
  browser: { name: "browser", mocha: [files("browser")] },
  redis: { name: "redis", mocha: [files("redis")] },
};

/** More groups at once only slow each other down. */
const PARALLEL = 3;
/** Mocha waits for whatever a test leaves open, so that leaks are noticed. */
const LIMIT_MINUTES = 30;

needNode("22.9.0", "The test suite, which starts Node-RED 5,");

const options = process.argv.slice(2);
const only = WITH_MORE[options[0]];
if (only) options.shift();
const version = options.indexOf("--node-red");
if (version >= 0) process.env.NODE_RED = otherNodeRed(options.splice(version, 2)[1]);

const waiting = only ? [only] : [...GROUPS];
const work = async () => {
  for (let group = waiting.shift(); group; group = waiting.shift()) await run(group);
};
await Promise.all(Array.from({ length: PARALLEL }, work));

/** Runs one group. Its output is printed at the end, so that groups do not mix. */
async function run({ name, mocha, undici = "undici" }) {
  const started = performance.now();
  const args = ["node_modules/mocha/bin/mocha.js", "--require", "./scripts/undici.cjs", ...mocha, ...options];
  const env = { ...process.env, UNDICI: undici };
  const child = spawn(process.execPath, args, { cwd: root, env, timeout: LIMIT_MINUTES * 60_000 });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`\n--- ${name} (${seconds} s)\n${Buffer.concat(output)}`);
  if (code === null) process.stdout.write(`Stopped after ${LIMIT_MINUTES} minutes: a test leaves something open.\n`);
  if (code !== 0) process.exitCode = 1;
}

/** The folder of the newest Node-RED of a version such as "4.1". It is installed on first use. */
function otherNodeRed(version) {
  if (!/^\d+(\.\d+){0,2}$/.test(version ?? "")) refuse("--node-red takes a version, such as 4.1.");
  const folder = join(root, "node_modules", ".cache", `node-red-${version}`);
  const installed = join(folder, "node_modules", "node-red");
  if (existsSync(join(installed, "red.js"))) return installed;
  const options = ["install", "--prefix", folder, "--no-audit", "--no-fund", `node-red@~${version}`];
  const { status } = spawnSync("npm", options, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) refuse(`Node-RED ${version} could not be installed; npm's message is above.`);
  return installed;
}
