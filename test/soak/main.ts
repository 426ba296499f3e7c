import { loadavg } from "node:os";
import { figuresOf } from "./figures-of";
import type { Figure } from "./part";

/*
 * npm run soak               long runs under faults and load, and a table of figures; about twelve minutes
 * npm run soak -- --quick    a tenth of everything
 * FAULT_SEED=1 npm run soak  repeats the random draws of an earlier run
 */

/** Each part with its undici. They run one at a time, because figures of time and memory need the whole machine. */
const PARTS: readonly [part: string, undici?: string][] = [
  ["call-outs"],
  ["call-outs", "undici-8"],
  ["deadlines"],
  ["redeploys"],
  ["kills"],
  ["messages"],
  ["fuzzed-answers"],
  ["fuzzed-answers", "undici-8"],
  ["fuzzed-messages"],
  ["heap"],
  ["dates"],
  ["dated-kills"],
  ["list-kills"],
  ["rehearsals"],
  ["file-crashes"],
  ["redis-crashes"],
  ["redis-outages"],
  ["node-reds"],
];

const load = () => loadavg()[0]?.toFixed(1);

async function main(): Promise<void> {
  const before = load();
  const rows: (Figure & { readonly part: string })[] = [];
  for (const [name, undici = "undici"] of PARTS) {
    const part = undici === "undici" ? name : `${name}, ${undici}`;
    console.log(`--- ${part}`);
    const figures = await figuresOf(name, undici, process.argv.slice(2)).catch((error: Error) => [
      { figure: "ends with figures", wanted: "yes", found: error.message, holds: false },
    ]);
    rows.push(...figures.map((figure) => ({ part, ...figure })));
  }
  console.table(rows);
  console.log(`load average ${before} before, ${load()} after`);
  if (rows.some(({ holds }) => !holds)) process.exitCode = 1;
}

void main();
