import { hashOf } from "../../../backlog";
import type { TenantClient } from "../../../client";
import { refusalOf } from "../../../client/queue/refusals";

/** The time for which a list with the request's id of an earlier one is not called again. Milliseconds. */
const REQUEST_MS = 86_400_000;
/** Requests of which is kept what their senders were told. */
const MOST_TOLD = 100;

/** The requests that brought the lists of a node, by their ids: each is called once. */
export class ListRequests {
  /** The good rows of the last lists, as their senders were told, in this process. */
  readonly #told = new Map<unknown, number>();

  constructor(private readonly nodeId: string) {}

  /**
   * Refuses a list that comes again with the id of an earlier one. Rejects with TenantError ERR_DUPLICATE.
   * @returns gives the id back, if the list is not accepted
   */
  async take(requestId: unknown, client: TenantClient): Promise<() => void> {
    if (typeof requestId !== "string") return () => {};
    const key = { hash: hashOf(`list ${JSON.stringify(this.nodeId)} request ${requestId}`), forMs: REQUEST_MS };
    const acceptance = await client.ask(({ keys }) => keys.take(key));
    const refusal = refusalOf(acceptance, { options: client.options, waiting: 0 });
    if (refusal) throw refusal;
    await client.ask(({ keys }) => keys.settle(key, "applied"));
    return () => void client.ask(({ keys }) => keys.keep({ ...key, forMs: 0 })).catch(() => {});
  }

  /** Notes what a sender was told, for its repetitions. */
  tell(requestId: unknown, good: number): void {
    this.#told.set(requestId, good);
    for (const [oldest] of this.#told) if (this.#told.size > MOST_TOLD) this.#told.delete(oldest);
  }

  told(requestId: unknown): number | undefined {
    return this.#told.get(requestId);
  }
}
