import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bulk, measureBulk } from "./bulk";
import { type Gates, measureGates } from "./gates";
import { type Loading, measureLoading } from "./load";
import { machine } from "./machine";
import { type Endurance, measureEndurance } from "./memory";
import { report } from "./report";
import { measureRequests, type RequestRow } from "./requests";
import { startTenant } from "./tenant-process";
import { project } from "./user-folder";

/** How long and how often things are measured. */
export interface Effort {
  readonly rounds: number;
  /** For requests: how many times a process is started, and the rounds in each. */
  readonly processes: number;
  readonly roundsEach: number;
  readonly sampleMs: number;
  /** Requests under way at once. */
  readonly underWay: readonly number[];
  readonly messages: number;
  readonly burst: number;
}

const FULL: Effort = {
  rounds: 5,
  processes: 3,
  roundsEach: 3,
  sampleMs: 300,
  underWay: [1, 8, 32, 128],
  messages: 200_000,
  burst: 100_000,
};
const QUICK: Effort = {
  rounds: 2,
  processes: 1,
  roundsEach: 2,
  sampleMs: 200,
  underWay: [8, 32],
  messages: 40_000,
  burst: 20_000,
};

/** All that a run has found out. */
export interface Findings {
  readonly effort: Effort;
  readonly requests: readonly RequestRow[];
  readonly endurance: Endurance;
  readonly gates: Gates;
  readonly loading: Loading;
  readonly bulk: Bulk;
}

async function main(quick: boolean): Promise<void> {
  const effort = quick ? QUICK : FULL;
  const server = await startTenant();
  const told = async <T>(what: string, measured: Promise<T>): Promise<T> => {
    process.stderr.write(`${what} …\n`);
    return measured;
  };
  // One after the other: nothing else may run beside what is measured.
  const loading = await told("Loading", measureLoading(effort));
  const gates = await told("Gates", measureGates(server, effort));
  const bulk = await told("Many messages at once", measureBulk(server, effort));
  const endurance = await told("Memory", measureEndurance(server, effort));
  const requests = await told("Requests", measureRequests(server, effort));
  await server.stop();
  const text = report({ effort, requests, endurance, gates, loading, bulk }, machine());
  process.stdout.write(text);
  // A quick run is for whoever changes something; what is kept is a full one.
  if (!quick) writeFileSync(join(project, "bench", "results.md"), text);
}

main(process.argv.includes("--quick")).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
