// npm run soak               long runs under faults and load, and a table of figures; about four minutes
// npm run soak -- --quick    a tenth of everything
// FAULT_SEED=1 npm run soak  repeats the random draws of an earlier run
import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { join } from "node:path";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

/** Parts of test/soak with the undici of each, one at a time in a process of its own. */
const PARTS = [
  ["call-outs", "undici"],
  ["call-outs", "undici-8"],
  ["deadlines", "undici"],
  ["redeploys", "undici"],
  ["messages", "undici"],
  ["fuzzed-answers", "undici"],
  ["fuzzed-answers", "undici-8"],
  ["fuzzed-messages", "undici"],
  ["heap", "undici"],
];
const LIMIT_MS = 15 * 60_000;

needNode("22.9.0", "The soak, which starts Node-RED 5,");
needInstalled("typescript", "node-red", "undici-8");
build("--tests");

const load = () => loadavg()[0].toFixed(1);
const loadBefore = load();
const figures = [];
for (const part of PARTS) figures.push(...(await run(...part)));
console.table(figures);
console.log(`load average ${loadBefore} before, ${load()} after`);
if (figures.some(({ holds }) => !holds)) process.exitCode = 1;

/** The figures of a part. One that ends without figures has failed. */
async function run(name, undici) {
  const part = undici === "undici" ? name : `${name}, ${undici}`;
  console.log(`--- ${part}`);
  const child = fork(join(root, "dist/test/soak", `${name}.js`), process.argv.slice(2), {
    execArgv: ["--expose-gc", "--require", join(root, "scripts/undici.cjs")],
    env: { ...process.env, UNDICI: undici },
    timeout: LIMIT_MS,
  });
  let found = [];
  child.on("message", (message) => {
    found = message;
  });
  const [code] = await once(child, "close");
  if (code === 0 && found.length > 0) return found.map((figure) => ({ part, ...figure }));
  return [{ part, figure: "ends with figures", wanted: "yes", found: `exit code ${code}`, holds: false }];
}
