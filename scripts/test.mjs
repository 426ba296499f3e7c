// npm test                   every test that needs only Node and npm; -- unit nodes for some of its parts
// npm test -- <path>         the tests in a file or folder, such as test/unit/hours/edges.test.ts
// npm test -- undici-8       what undici decides, on its other supported major
// npm run test:browser       the tests in test/browser; -- --node-red 4.1 runs what the editor of another Node-RED decides
// npm run test:redis         the tests in test/redis, which start a redis-server
// npm run test:valkey        those of them whose answers come from the server, with a valkey-server
// npm test -- --grep hours   passes options on to mocha
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needNode, refuse, root } from "./preconditions.mjs";

needNode("22.9.0", "The test suite, which starts Node-RED 5,");

const files = (...folders) => folders.map((folder) => `dist/test/${folder}/**/*.test.js`);
const except = (...patterns) => patterns.flatMap((pattern) => ["--ignore", pattern]);

const options = process.argv.slice(2);
const version = options.indexOf("--node-red");
const isOlder = version >= 0 && Number.parseInt(options[version + 1], 10) < 5;
if (version >= 0) process.env.NODE_RED = otherNodeRed(options.splice(version, 2)[1]);

const REDIS = [...files("redis"), ...except(...files("redis/processes"))];
/**
 * Marks in the names of tests and suites: what undici decides is repeated on its other major, and what the editor of Node-RED decides
 * (palette, trays, typed inputs, lists, sidebar, theme) in an older Node-RED.
 */
const [BY_UNDICI, BY_MARKUP] = ["@undici", "@markup"];

/**
 * The groups of each part, which run in parallel.
 * `installs`: needs a user folder with the package.
 */
const PARTS = {
  process: shares("processes", 9, files("process")).map((group) => ({ ...group, installs: true })),
  nodes: shares("nodes", 2, files("nodes")),
  unit: shares("unit", 5, ["dist/test/**/*.test.js"], isElse).map((group) => ({ ...group, installs: true })),
  package: [{ name: "package", mocha: files("package") }],
  "undici-8": [{ name: "undici 8", mocha: files("unit/client"), mark: BY_UNDICI, env: { UNDICI: "undici-8" } }],
  browser: isOlder
    ? shares("browser", 3, files("browser"), isMarked).map((group) => ({ ...group, mark: BY_MARKUP }))
    : shares("browser", 9, files("browser")),
  redis: [
    { name: "redis", mocha: REDIS },
    { name: "redis, processes", mocha: files("redis/processes") },
  ],
  // Those of several processes do not depend on the kind of Redis.
  valkey: [{ name: "valkey", mocha: REDIS, env: { REDIS_SERVER: "valkey-server" } }],
};

/** Most tests wait for a process, a deadline or a pause: two cores are busy with six groups, or with three browsers. */
const PARALLEL = options.includes("browser") ? 3 : 6;
const PROGRESS_MS = 10_000;
/** Longer than any test may take. A slow machine goes on; mocha waits for what a test leaves open, so that leaks are noticed. */
const QUIET_MINUTES = 12;

/** Parts and paths; the rest is for mocha. */
const asked = options.filter((option, index) => !option.startsWith("-") && !options[index - 1]?.startsWith("-"));
const parts = asked.filter((option) => Object.hasOwn(PARTS, option));
const paths = asked.filter((option) => !parts.includes(option)).map(compiled);
const isAlone = paths.length > 0;
const chosen = isAlone
  ? [{ name: paths.join(", "), mocha: paths }]
  : (parts.length > 0 ? parts : ["process", "nodes", "unit"]).flatMap((part) => PARTS[part]);
const forMocha = options.filter((option) => !asked.includes(option));

// Temporary files are removed at the end of the run. So is the compile cache: user folders have new paths in each run, so the next
// run could not use it.
const temporary = mkdtempSync(join(tmpdir(), "telephony-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
if (!process.env.NODE_V8_COVERAGE) process.env.NODE_COMPILE_CACHE ??= join(temporary, "compiled");

// Packed and installed once for all groups. One group does this for itself.
const installed =
  chosen.filter(({ installs }) => installs).length > 1
    ? createRequire(import.meta.url)("../dist/test/support/process/user-folder.js").userFolder()
    : undefined;

const waiting = [...chosen];
const running = new Map();
const reports = setInterval(() => {
  for (const [name, output] of running) {
    // The dots of mocha's reporter: "." passed, "," was skipped, "!" failed.
    const dots =
      output
        .join("")
        .match(/(?<=^ +)[.,!]+/gm)
        ?.join("") ?? "";
    print(`${name}: ${dots.length} done, ${dots.split("!").length - 1} failed`);
  }
}, PROGRESS_MS);
const work = async () => {
  for (let group = waiting.shift(); group; group = waiting.shift()) await run(group);
};
await Promise.all(Array.from({ length: PARALLEL }, work));
clearInterval(reports);

function compiled(path) {
  const file = path.replace(/^(\.\/)?(dist\/)?|\/$/g, "").replace(/\.ts$/, ".js");
  const found = join("dist", file.endsWith(".js") ? file : `${file}/**/*.test.js`);
  if (file.startsWith("test/") && globSync(found, { cwd: root }).length > 0) return found;
  return refuse(`There are no tests in ${path}. The parts are ${Object.keys(PARTS).join(", ")}.`);
}

/** Runs one group. The output of several is printed at the end of each, so that they do not mix. */
async function run({ name, mocha, mark, env, installs }) {
  const started = performance.now();
  const program = ["node_modules/mocha/bin/mocha.js", "--require", "./scripts/undici.cjs"];
  const shown = isAlone ? ["spec", ...(process.stdout.isTTY ? ["--color"] : [])] : ["dot"];
  if (mark) program.push("--grep", mark);
  const args = [...program, "--reporter", ...shown, ...mocha, ...forMocha];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env, ...(installs && { USER_FOLDER: await installed }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const streams = [child.stdout, child.stderr];
  const output = [];
  const said = () => Buffer.concat(output).toString();
  let stuck = "";
  const quiet = setTimeout(() => {
    stuck = / passing \(/.test(said()) ? "its tests have ended, but one left something open" : "a test does not end";
    child.kill("SIGKILL");
    for (const stream of streams) stream.destroy();
  }, QUIET_MINUTES * 60_000);
  for (const stream of streams)
    stream.on("data", (chunk) => {
      quiet.refresh();
      output.push(chunk);
      if (isAlone) process.stdout.write(chunk);
    });
  if (!isAlone) running.set(name, output);
  const [code] = await once(child, "close");
  clearTimeout(quiet);
  running.delete(name);
  const seconds = Math.round((performance.now() - started) / 1000);
  if (!isAlone) print(`\n--- ${name} (${seconds} s)\n${said().trim()}\n`);
  if (stuck) print(`${name}: stopped, as nothing came for ${QUIET_MINUTES} minutes: ${stuck}.`);
  if (code !== 0) process.exitCode = 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

/** Whether no other part has the file. */
function isElse(file) {
  return !/test.(process|nodes|browser|redis)./.test(file);
}

function isMarked(file) {
  return readFileSync(join(root, file), "utf8").includes(BY_MARKUP);
}

/** Divides the files that are meant into groups of about the same length. */
function shares(name, count, patterns, isMeant = () => true) {
  const size = (file) => statSync(join(root, file)).size;
  const all = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter(isMeant)
    .sort((a, b) => size(b) - size(a));
  const groups = Array.from({ length: count }, (_, index) => ({ name: `${name} ${index + 1}`, mocha: [], size: 0 }));
  for (const file of all) {
    const shortest = groups.reduce((a, b) => (b.size < a.size ? b : a));
    shortest.mocha.push(file);
    shortest.size += size(file);
  }
  return groups;
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
