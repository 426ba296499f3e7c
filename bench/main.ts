import { readFileSync, writeFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../test/support/root";
import { burst } from "./cases/burst";
import { gate } from "./cases/gate";
import { loading } from "./cases/loading";
import { memory } from "./cases/memory";
import { requests } from "./cases/requests";
import { schedule } from "./cases/schedule";
import { type Effort, type Section, table } from "./harness/report";
import { startTenant } from "./harness/tenant";

/*
 * npm run bench                  prints the figures and writes bench/results.md; about five minutes on an idle machine
 * npm run bench -- --quick       fewer and shorter rounds; writes nothing
 * npm run bench -- --only gate   one case; writes nothing
 */

const CASES = [requests, memory, gate, schedule, loading, burst];

const FULL: Effort = {
  rounds: 5,
  processes: 3,
  roundsEach: 3,
  sampleMs: 300,
  inFlight: [1, 8, 32, 128],
  messages: 200_000,
  burst: 100_000,
};
const QUICK: Effort = {
  rounds: 2,
  processes: 1,
  roundsEach: 2,
  sampleMs: 200,
  inFlight: [8, 32],
  messages: 40_000,
  burst: 20_000,
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: "boolean" }, only: { type: "string" } } });
  const cases = CASES.filter(({ name }) => !values.only || name === values.only);
  if (cases.length === 0) throw new Error(`--only takes one of ${CASES.map(({ name }) => name).join(", ")}`);
  const effort = values.quick ? QUICK : FULL;
  const tenant = await startTenant();
  const sections: Section[] = [];
  // One after the other: nothing else may run beside what is measured.
  for (const one of cases) {
    process.stderr.write(`${one.name} …\n`);
    sections.push(await one.run(tenant, effort));
  }
  await tenant.stop();
  const text = report(sections, effort);
  process.stdout.write(text);
  if (!values.quick && !values.only) writeFileSync(join(root, "bench", "results.md"), text);
}

function report(sections: readonly Section[], { rounds, sampleMs, roundsEach, processes }: Effort): string {
  const model = cpus()[0]?.model.trim() || "processor of unknown model";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const versions = `Node-RED ${version("node-red")}, undici ${version("undici")} and ${version("undici-8")}`;
  const parts = [
    "# Benchmark",
    `${cpus().length} × ${model}, ${memory}, ${platform()} ${release().split("-")[0]}. Node ${process.versions.node}, ${versions}.\n` +
      `Written by \`npm run bench\`: medians of ${rounds} rounds of ${sampleMs} ms, for requests of ${roundsEach} rounds in each of ` +
      `${processes} processes. The contenders run in turn in one Node-RED process against a loopback tenant in a process of ` +
      "its own. Ratios are medians of each round's ratio.",
    "## Targets",
    table(
      ["", "target", "found", ""],
      sections.flatMap(({ targets }) =>
        targets.map(({ what, target, found, met }) => [what, target, found, met ? "met" : "missed"]),
      ),
    ),
    ...sections.flatMap(({ title, body }) => [`## ${title}`, ...body]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function version(name: string): string {
  const manifest = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
