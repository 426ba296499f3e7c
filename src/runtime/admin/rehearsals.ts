import type { FlowTest } from "../../rehearsal/flow-test";
import type { Rehearsal } from "../../rehearsal/rehearsal";
import { rehearse } from "../../rehearsal/rehearse";
import type { Report } from "../../rehearsal/report";
import { type RunTest, runTest } from "../../rehearsal/run-test";
import { CannotRehearse, type World, type WorldInput } from "../../rehearsal/world";
import { htmlOf } from "../../report/html";
import { type Body, HttpError } from "./http";

type FlowNodes = readonly Readonly<Record<string, unknown>>[];

/** How a rehearsal goes, for the tab. */
export interface RehearsalState {
  readonly ok: true;
  readonly isRunning: boolean;
  /** The virtual instant that was reached, ISO 8601. */
  readonly at?: string;
  readonly calls: number;
  /** Why it could not be rehearsed, in a sentence. */
  readonly problem?: string;
  readonly cutShort?: string;
  readonly notes?: readonly string[];
  readonly report?: Pick<Report, "figures" | "from" | "until"> & { readonly calls: Report["calls"] };
  /** Of the tests that were run. */
  readonly tests?: readonly (RunTest["result"] & { readonly problem?: string })[];
}

/** Calls that the tab lists; the page of the report has all. */
const MOST_LISTED = 200;

interface Running {
  readonly stop: AbortController;
  state: RehearsalState;
  rehearsal?: Rehearsal;
}

/** The state between requests: one rehearsal at a time, and the last one. */
export class Rehearsals {
  #last: Running | undefined;

  get state(): RehearsalState {
    return this.#last?.state ?? { ok: true, isRunning: false, calls: 0 };
  }

  /** The report of the last rehearsal, as a page. */
  get page(): string {
    const rehearsal = this.#last?.rehearsal;
    if (!rehearsal) throw new HttpError(404);
    return htmlOf(rehearsal);
  }

  stop(): void {
    this.#last?.stop.abort();
  }

  /** Rehearses the flows of an editor, deployed or not. */
  start({ flows, from, days, seed, inputs }: Body, around: World, userDir: string): RehearsalState {
    return this.#run(async (running) => {
      const rehearsal = await rehearse({
        flows: flowsIn(flows),
        from: typeof from === "string" && from !== "" ? from : undefined,
        until: Number(days) || undefined,
        seed: Number(seed) || undefined,
        world: Array.isArray(inputs) ? { ...around, inputs: inputs as WorldInput[] } : around,
        userDir,
        signal: running.stop.signal,
        onProgress: (at, calls) => {
          running.state = { ok: true, isRunning: true, at, calls };
        },
      });
      running.rehearsal = rehearsal;
      const { report, notes, cutShort } = rehearsal;
      const { figures, calls } = report;
      return {
        calls: calls.length,
        notes,
        ...(cutShort !== undefined && { cutShort }),
        report: { from: report.from, until: report.until, figures, calls: calls.slice(0, MOST_LISTED) },
      };
    });
  }

  /** Runs tests, one after the other. */
  startTests(flows: unknown, tests: readonly FlowTest[], around: World, userDir: string): RehearsalState {
    return this.#run(async (running) => {
      const results: NonNullable<RehearsalState["tests"]>[number][] = [];
      for (const test of tests) {
        const options = { flows: flowsIn(flows), userDir, signal: running.stop.signal };
        // Surroundings that a test does not set are those of the flow now.
        const world = { ...around, ...test.world, env: { ...around.env, ...test.world?.env } };
        const outcome = await runTest({ ...test, world }, options).catch((error: unknown) => sentence(error));
        if (typeof outcome === "string")
          results.push({ name: test.name, isGreen: false, checks: [], problem: outcome });
        else {
          running.rehearsal = outcome.rehearsal;
          const { cutShort } = outcome.rehearsal;
          results.push({ ...outcome.result, ...(cutShort !== undefined && { problem: cutShort }) });
        }
        running.state = { ok: true, isRunning: true, calls: 0, tests: [...results] };
        if (running.stop.signal.aborted) break;
      }
      return { calls: 0, tests: results };
    });
  }

  /** Begins work, and returns its state. */
  #run(work: (running: Running) => Promise<Omit<RehearsalState, "ok" | "isRunning">>): RehearsalState {
    if (this.#last?.state.isRunning) throw new HttpError(409);
    const running: Running = { stop: new AbortController(), state: { ok: true, isRunning: true, calls: 0 } };
    this.#last = running;
    const failed = (error: unknown) => ({ calls: 0, problem: sentence(error) });
    void work(running)
      .catch(failed)
      .then((ended) => {
        running.state = { ok: true, isRunning: false, ...ended };
      });
    return running.state;
  }
}

function flowsIn(value: unknown): FlowNodes {
  if (!Array.isArray(value)) throw new CannotRehearse("The editor has sent no flows.");
  return value as FlowNodes;
}

function sentence(error: unknown): string {
  if (error instanceof CannotRehearse) return error.message;
  return error instanceof Error ? `It could not be rehearsed: ${error.message}` : String(error);
}
