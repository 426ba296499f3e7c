import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { Embedded } from "../test/soak/support/embedded";
import { npm, temporaryFolder } from "../test/support/process/user-folder";
import { root } from "../test/support/root";
import { gates, median, type Row, requests, starts, waiting } from "./rows";
import { startTenant } from "./tenant";

/** Compiled code differs by a fifth from one process to the next. */
const PROCESSES = 3;
const RIVAL = "node-red-contrib-sun-position";

/** Measures everything once, in a process of its own. */
async function measure(rival: string): Promise<void> {
  const [url, nodeRed] = [await startTenant(), await Embedded.start([rival])];
  const rows: Row[] = [];
  for (const part of [gates, requests, waiting, starts]) rows.push(...(await part(nodeRed, url)));
  process.stdout.write(JSON.stringify(rows), () => process.exit());
}

/** Prints the table and writes bench/results.md, for `npm run bench`. Needs the registry. */
async function main(): Promise<void> {
  const load = loadavg()[0]?.toFixed(1);
  const folder = temporaryFolder();
  // No dev dependency: each Node-RED of the project would load its nodes.
  await npm(folder, "install", "--prefix", folder, "--no-audit", "--no-fund", `${RIVAL}@3.0.0-alpha2`);
  const command = ["--expose-gc", __filename, join(folder, "node_modules", RIVAL)];
  const once = () => JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" }));
  const found: Row[][] = Array.from({ length: PROCESSES }, once);
  const lines = found[0]?.map(([what, target, , limit = ""], index) => {
    const [sign, bound] = target.split(" ");
    const figure = median(found.map((rows) => rows[index]?.[2] ?? Number.NaN));
    const isMet = sign === "≥" ? figure >= Number(bound) : figure <= Number(bound);
    return `| ${what} | ${target} | ${target.replace(/^\S+ \S+/, figure.toFixed(2))} | ${isMet ? "met" : `missed: ${limit}`} |`;
  });
  const text = `# Benchmark

${cpus().length} × ${cpus()[0]?.model.trim()}, with a load average of ${load} before.
Node ${process.versions.node}, Node-RED ${require("node-red/package.json").version}, undici ${require("undici/package.json").version}.

Written by \`npm run bench\`. A ratio is the median of rounds in which both are measured in turn, 32 in flight, in one process,
against a loopback tenant in another one. Each figure is the median of three processes. A busy machine makes ratios lower and times longer.

| | target | found | |
|---|---:|---:|---|
${lines?.join("\n")}
`;
  process.stdout.write(text);
  writeFileSync(join(root, "bench", "results.md"), text);
}

const [rival] = process.argv.slice(2);
void (rival ? measure(rival) : main());
