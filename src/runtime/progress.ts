import type { End, Job, TenantClient } from "../tenant";
import type { StatusLine } from "./status";

/** Counts what a node has waiting and under way, and shows it. */
export class Progress {
  readonly #status: StatusLine;
  readonly #isPaused: () => boolean;
  #waiting = 0;
  #underWay = 0;
  /** The last page that came of a list under way, and of how many. */
  #page: readonly [page: number, pages: number] | undefined;

  /** @param isPaused whether the node's messages are held for now */
  constructor(status: StatusLine, isPaused: () => boolean) {
    this.#status = status;
    this.#isPaused = isPaused;
  }

  submit(client: TenantClient, job: Job, ended: (end: End) => void): void {
    let started = false;
    this.#waiting += 1;
    client.submit(job, {
      started: () => {
        started = true;
        this.#waiting -= 1;
        this.#underWay += 1;
        this.#show();
      },
      ended: (end) => {
        if (started) this.#underWay -= 1;
        else this.#waiting -= 1;
        ended(end);
      },
    });
    if (!started) this.#show();
  }

  page(page: number, pages: number): void {
    this.#page = [page, pages];
  }

  /** A message has ended: that is shown where it was the last one. */
  ended(end: End): void {
    this.#page = undefined;
    if (this.#waiting + this.#underWay > 0) this.#show();
    else this.#status.ended(end);
  }

  #show(): void {
    if (this.#waiting > 0 && this.#isPaused()) this.#status.paused();
    else if (this.#waiting > 0) this.#status.waiting(this.#waiting);
    else if (this.#underWay > 0 && this.#page) this.#status.page(...this.#page);
    else if (this.#underWay > 0) this.#status.sending();
  }
}
