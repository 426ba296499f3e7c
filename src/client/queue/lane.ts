import { Heap } from "../../backlog";
import { byTurn, type Call } from "../../backlog/call";
import type { Owner } from "../job";
import type { JobRun } from "./job-run";

export type CallOfJob = Call<Owner, JobRun>;

/** The calls that wait without a store, in their order: it goes on while the backlog is shut or fails. */
export class Lane {
  readonly #heap = new Heap<Call>(byTurn);
  /** The first one is next, the others are in no order. One that waits in a lane keeps its request. */
  readonly calls = this.#heap.items as readonly (CallOfJob & { readonly run: JobRun })[];
  /** The order of the last one that has come. */
  #last = 0;
  /** Bytes of their requests. */
  bytes = 0;

  /** Adds a call. Actions on calls that are under way go first. */
  add(call: CallOfJob, { job, bytes }: JobRun): void {
    this.#last += 1;
    call.order = this.#last;
    if (job.lane === "live") call.priority = 0;
    call.moveTo(this.#heap);
    this.bytes += bytes;
  }

  remove(call: Lane["calls"][number]): void {
    call.moveTo(undefined);
    this.bytes -= call.run.bytes;
  }
}
