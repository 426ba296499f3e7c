import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { attempt } from "../../../json/rules";
import type { FlowTest } from "../../rehearsal/flow-test";
import type { Report } from "../../rehearsal/make-report";
import type { RunningNodeRed } from "../../rehearsal/options";
import type { RunTest } from "../../rehearsal/run-test";
import type { World } from "../../rehearsal/world";
import { type Body, HttpError } from "../http";

/** The progress of a rehearsal, for the tab. */
export interface RehearsalState {
  readonly ok: true;
  readonly isRunning: boolean;
  /** Counts the rehearsals since Node-RED started, so that an editor knows its own. */
  readonly run?: number;
  /** The virtual instant that was reached, ISO 8601. */
  readonly at?: string;
  /** The part of the time that was reached, from 0 to 1. */
  readonly share?: number;
  readonly calls: number;
  /** The reason why it could not be rehearsed, in a sentence. */
  readonly problem?: string;
  readonly notes?: readonly string[];
  readonly report?: Pick<Report, "figures" | "brokenOff">;
  /** If nothing was called: why, in a sentence, the node that is the reason, and when it opens. */
  readonly nothing?: {
    readonly why: string;
    readonly nodeId?: string | undefined;
    readonly opensAt?: string | null | undefined;
  };
  /** A test of what came of it: with the numbers that came in, and with others in their place. */
  readonly made?: { readonly test: FlowTest; readonly masked: FlowTest };
  /** Of several tests, the one whose report is shown: the first red one, else the last. */
  readonly shown?: string | undefined;
  /** Of the tests that were run. */
  readonly tests?: readonly (RunTest["result"] & Pick<FlowTest, "then"> & { readonly problem?: string })[];
}

/** The rehearsal that an editor asks for, and what surrounds its flows now. */
export interface Work {
  readonly body: Body;
  readonly running: RunningNodeRed;
  readonly schedules: NonNullable<World["schedules"]>;
  readonly userDir: string;
}

/** A message of the thread: how far it is, and in the end the report as a page. */
export interface Said {
  readonly state: Omit<RehearsalState, "ok">;
  readonly page?: Uint8Array;
}

/** The state between requests: one rehearsal at a time, and the last one. */
export class Rehearsals {
  #worker: Worker | undefined;
  #page: Uint8Array | undefined;
  #run = 0;
  /** Of the process that rehearses; 0 for none. */
  readonly #pid = new Int32Array(new SharedArrayBuffer(4));
  state: RehearsalState = { ok: true, isRunning: false, calls: 0 };

  constructor() {
    // The worker ends with Node-RED and can do nothing more; its process would go on.
    process.on("exit", () => this.#pid[0] && attempt(() => process.kill(Number(this.#pid[0]), "SIGKILL")));
  }

  /** The report of the last rehearsal, as a page. */
  get page(): Buffer {
    if (!this.#page) throw new HttpError(404);
    return Buffer.from(this.#page.buffer);
  }

  stop(): void {
    this.#worker?.postMessage("stop");
  }

  start(work: Work): RehearsalState {
    if (this.#worker) throw new HttpError(409);
    const worker = new Worker(join(__dirname, "rehearsal-worker.js"), { workerData: { ...work, pid: this.#pid } });
    this.#worker = worker;
    this.#run += 1;
    const take = ({ state, page }: Said) => {
      if (this.#worker !== worker) return;
      this.state = { ok: true, run: this.#run, ...state };
      this.#page = page;
      if (!state.isRunning) this.#worker = undefined;
    };
    const fail = (problem: string) => take({ state: { isRunning: false, calls: 0, problem } });
    worker.on("message", take);
    worker.on("error", ({ message }) => fail(`It could not be rehearsed: ${message}`));
    worker.on("exit", () => fail("It could not be rehearsed."));
    take({ state: { isRunning: true, calls: 0 } });
    return this.state;
  }
}
