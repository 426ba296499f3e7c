import { AGAIN_MS } from "../../../backlog";
import type { JobResult, TenantError } from "../../../client";
import { engineFailure } from "../../../client/errors";
import type { Ended, Line, ListFile } from "./list-file";

export interface RowDone {
  /** From 0. */
  readonly index: number;
  readonly result: JobResult;
  readonly ended: Ended;
}

type Note = Exclude<Line, { readonly row: number }>;
/** A row that has ended, or another line for the file. */
type Done = RowDone | Note;

/** Lines that are written in one go. */
const AT_ONCE = 500;

/**
 * The rows that have ended and are not written down yet: nobody is told of a row before. What ends while the disk is busy is written
 * together.
 */
export class RowsDone {
  /** The reason why nothing can be written. */
  problem: TenantError | undefined;
  readonly #waiting: Done[] = [];
  readonly #indexes = new Set<number>();
  #isPlanned = false;
  #isSyncing = false;

  /**
   * @param file absent where the list is in memory only
   * @param mayTell whether somebody can be told
   * @param tell called with rows that are written
   * @param isOnDisk called once they are on disk, too
   */
  constructor(
    private readonly file: ListFile | undefined,
    private readonly mayTell: () => boolean,
    private readonly tell: (rows: readonly RowDone[]) => void,
    private readonly isOnDisk: (rows: readonly RowDone[]) => void,
  ) {}

  get count(): number {
    return this.#indexes.size;
  }

  has(index: number): boolean {
    return this.#indexes.has(index);
  }

  add(done: Done): void {
    this.#waiting.push(done);
    if (isRow(done)) this.#indexes.add(done.index);
    this.plan();
  }

  /** Writes a line at once, or, if that fails, with those that follow. */
  note(line: Note): void {
    if (this.file?.append([line]).problem !== undefined) this.add(line);
  }

  /** Writes and tells soon, in portions. */
  plan(): void {
    if (this.#isPlanned || this.#isSyncing || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (this.mayTell()) this.#flush(this.#waiting.slice(0, AT_ONCE));
    });
  }

  /** Writes all of them now: the process ends, and the next one tells. */
  stop(): void {
    this.#flush([...this.#waiting], { untold: true });
  }

  #flush(some: readonly Done[], more: { readonly untold?: true } = {}): void {
    const lines = some.map((done) => (isRow(done) ? { row: done.index, ended: done.ended, ...more } : done));
    const { count, problem } = this.file?.append(lines) ?? { count: some.length };
    this.problem = problem === undefined ? undefined : engineFailure(problem);
    const rows = this.#waiting.splice(0, count).filter(isRow);
    for (const { index } of rows) this.#indexes.delete(index);
    if (rows.length > 0) void this.#told(rows);
    if (problem === undefined) this.plan();
    else setTimeout(() => this.plan(), AGAIN_MS).unref();
  }

  async #told(rows: readonly RowDone[]): Promise<void> {
    this.#isSyncing = this.file !== undefined;
    this.tell(rows);
    await this.file?.sync();
    this.#isSyncing = false;
    this.plan();
    for (const { result } of rows) result.reported?.();
    this.isOnDisk(rows);
  }
}

function isRow(done: Done): done is RowDone {
  return "index" in done;
}
