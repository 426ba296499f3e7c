import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../test/support/root";
import { engines } from "./cases/engines";
import { gate } from "./cases/gate";
import { group } from "./cases/group";
import { loading } from "./cases/loading";
import { memory } from "./cases/memory";
import { requests } from "./cases/requests";
import { waiting } from "./cases/waiting";
import { report, type Section } from "./report";
import { startTenant } from "./tenant";

/*
 * npm run bench                  prints the figures and writes bench/results.md; about five minutes on an idle machine
 * npm run bench -- --only gate   one case; writes nothing
 */

const CASES = { requests, gate, engines, waiting, group, memory, loading };

async function main(): Promise<void> {
  const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
  const cases = Object.entries(CASES).filter(([name]) => only === undefined || name === only);
  if (cases.length === 0) throw new Error(`--only takes one of ${Object.keys(CASES).join(", ")}`);
  const tenant = await startTenant();
  const sections: Section[] = [];
  // One after the other: nothing else may run beside what is measured.
  for (const [name, run] of cases) {
    process.stderr.write(`${name} …\n`);
    sections.push(await run(tenant.origin));
  }
  await tenant.stop();
  const text = report(sections);
  process.stdout.write(text);
  if (only === undefined) writeFileSync(join(root, "bench", "results.md"), text);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
