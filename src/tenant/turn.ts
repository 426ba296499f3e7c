import { performance } from "node:perf_hooks";
import type { TenantError } from "./errors";
import type { Asked, End, Job, Tally } from "./job";
import { begin, type History } from "./retry";
import type { Exchange } from "./wire";

/** What a job needs while it waits and while it is under way; beside the job, which stays plain data. */
export class Turn {
  started: number | undefined;
  deadlineAt = Number.POSITIVE_INFINITY;
  history: History = begin;
  lastFailure: TenantError | undefined;
  /** Epoch milliseconds of the last attempt that may have left. */
  lastSentAt: number | undefined;
  exchange: Exchange | undefined;
  pause: NodeJS.Timeout | undefined;
  /** In the roster of those under way. */
  place = 0;
  over = false;
  /** The job's once key was taken for it. */
  holdsKey = false;

  constructor(
    readonly job: Job,
    /** JSON text as it goes out, kept from the moment the job was accepted. */
    readonly body: string | null,
    readonly asked: Asked,
    readonly listener: JobListener,
    readonly accepted = performance.now(),
  ) {}

  tally(): Tally {
    const now = performance.now();
    const started = this.started ?? now;
    return {
      attempts: this.history.attempts,
      waitedMs: Math.round(started - this.accepted),
      elapsedMs: this.started === undefined ? 0 : Math.round(now - started),
    };
  }
}

/** Whoever wants to know what becomes of a job. */
export interface JobListener {
  /** Its turn has come. */
  started?(): void;
  /** Called exactly once. */
  ended(end: End): void;
}
