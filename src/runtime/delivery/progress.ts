import type { Job, JobResult, TenantClient } from "../../tenant";
import type { StatusLine } from "../node-red/status";

/** By node id, at module level because what waits and what is under way outlives a redeploy. */
const known = new Map<string, Progress>();

/** Counts what a node has waiting and under way, and shows it under whichever instance of the node is there. */
export class Progress {
  readonly #id: string;
  #status: StatusLine | undefined;
  #isPaused: () => boolean = () => false;
  #waiting = 0;
  #underWay = 0;
  /** The last page that came of a list under way, and of how many. */
  #page: readonly [page: number, pages: number] | undefined;

  private constructor(id: string) {
    this.#id = id;
  }

  static of(id: string): Progress {
    const progress = known.get(id) ?? new Progress(id);
    known.set(id, progress);
    return progress;
  }

  /**
   * A node begins: what waits and what is under way is shown under it from now on.
   * @param isPaused whether the node's messages are held for now
   */
  showOn(status: StatusLine, isPaused: () => boolean): void {
    this.#status = status;
    this.#isPaused = isPaused;
  }

  /** What a node shows before it gets a message: what its predecessor left to wait for, if anything. */
  rest(): void {
    if (this.#isBusy) this.renew();
    else this.#status?.rest();
  }

  /** A node ends, perhaps after its successor has begun. */
  leave(status: StatusLine): void {
    if (this.#status === status) this.#status = undefined;
    this.#forget();
  }

  submit(client: TenantClient, job: Job, ended: (end: JobResult) => void): void {
    let started = false;
    this.#waiting += 1;
    client.submit(job, {
      started: () => {
        started = true;
        this.#waiting -= 1;
        this.#underWay += 1;
        this.renew();
      },
      ended: (end) => {
        if (started) this.#underWay -= 1;
        else this.#waiting -= 1;
        ended(end);
        this.#forget();
      },
    });
    if (!started) this.renew();
  }

  page(page: number, pages: number): void {
    this.#page = [page, pages];
  }

  /** A message has ended: that is shown where it was the last one. */
  ended(end: JobResult): void {
    this.#page = undefined;
    if (this.#isBusy) this.renew();
    else this.#status?.ended(end);
  }

  /** Shows what there is to wait for, if anything. */
  renew(): void {
    if (this.#waiting > 0 && this.#isPaused()) this.#status?.paused();
    else if (this.#waiting > 0) this.#status?.waiting(this.#waiting);
    else if (this.#underWay > 0 && this.#page) this.#status?.page(...this.#page);
    else if (this.#underWay > 0) this.#status?.sending();
  }

  get #isBusy(): boolean {
    return this.#waiting + this.#underWay > 0;
  }

  #forget(): void {
    if (!this.#status && !this.#isBusy) known.delete(this.#id);
  }
}
