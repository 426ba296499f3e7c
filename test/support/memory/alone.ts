import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../root";

/**
 * The young generation at its full size from the start, on both sides of the measurement. When it grows is the collector's
 * choice, differs by tens of megabytes, and is unrelated to the measurement.
 */
const FLAGS = ["--expose-gc", "--min-semi-space-size=16", "--max-semi-space-size=16"];

const MEBIBYTE = 2 ** 20;

/** Runs a measurement in a process of its own: other tests' garbage, and what it makes V8 do, are not in it. */
export async function alone<Found>(script: string): Promise<Found> {
  const undici = join(root, "scripts/undici.cjs");
  const child = fork(join(__dirname, script), [], {
    execArgv: [...FLAGS, "--require", undici],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let found: { is: Found } | undefined;
  child.on("message", (message) => {
    found = { is: message as Found };
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0 || !found) throw new Error(`${script} ended with exit code ${code}`);
  return found.is;
}

/** Measures in such a process, reports to the parent, and ends. */
export function tell(measure: () => Promise<unknown>): void {
  void measure().then((found) => process.send?.(found, () => process.disconnect()));
}

/** Measures the MB of resident memory that the work takes at its peak, over what the process holds after a collection. */
export async function peakOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const sampling = setInterval(sample, 5);
  const worked = work();
  sample();
  await worked;
  sample();
  clearInterval(sampling);
  return (peak - before) / MEBIBYTE;
}
