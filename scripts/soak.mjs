// npm run soak               long runs under faults and load, and a table of the figures; about four minutes
// npm run soak -- --quick    a tenth of everything
// FAULT_SEED=1 npm run soak  the draws of an earlier run again
import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

/** One after the other, each in a process of its own: figures of time and memory want the machine for themselves. */
const PARTS = [
  { name: "call-outs", undici: "undici" },
  { name: "call-outs", undici: "undici-8" },
  { name: "deadlines", undici: "undici" },
  { name: "redeploys", undici: "undici" },
  { name: "messages", undici: "undici" },
  { name: "fuzzed-answers", undici: "undici" },
  { name: "fuzzed-answers", undici: "undici-8" },
  { name: "fuzzed-messages", undici: "undici" },
  { name: "heap", undici: "undici" },
];

/** Longest run of one part. */
const LIMIT_MINUTES = 15;

needNode("22.9.0", "The soak, which starts Node-RED 5,");
needInstalled("typescript", "node-red", "undici-8");
build("--tests");

const load = () => loadavg()[0].toFixed(1);
const atFirst = load();
const rows = [];
for (const part of PARTS) rows.push(...(await run(part)));
console.table(rows);
console.log(`load ${atFirst} at first, ${load()} at last`);
if (rows.some(({ holds }) => !holds)) process.exitCode = 1;

/** The figures of a part; one that ended without any has missed. */
async function run({ name, undici }) {
  const started = performance.now();
  const title = undici === "undici" ? name : `${name}, ${undici}`;
  console.log(`--- ${title}`);
  const flags = ["--expose-gc", "--require", "./scripts/undici.cjs"];
  const child = spawn(process.execPath, [...flags, `dist/test/soak/${name}.js`, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, UNDICI: undici },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    timeout: LIMIT_MINUTES * 60_000,
  });
  let figures = [];
  child.on("message", (told) => {
    figures = told;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  console.log(`    ${Math.round((performance.now() - started) / 1000)} s`);
  if (code === 0 && figures.length > 0) return figures.map((figure) => ({ part: title, ...figure }));
  return [{ part: title, figure: "ran to its end", wanted: "yes", found: `exit code ${code}`, holds: false }];
}
