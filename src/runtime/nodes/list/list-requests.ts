import { hashOf, type Key } from "../../../backlog";
import { type TenantClient, tryKey } from "../../../client";
import { refusalOf } from "../../../client/queue/refusals";
import { Turns } from "../../../json/turns";

/** The time for which a list with the request's id of an earlier one is not called again. Milliseconds. */
const REQUEST_MS = 86_400_000;
/** Requests of which is kept what their senders were told. */
const MOST_TOLD = 100;

/** The requests that brought the lists of a node, by their ids: each is called once. */
export class ListRequests {
  /** The good rows of the last lists, as their senders were told, in this process. */
  readonly #told = new Map<unknown, number>();
  readonly #turns = new Turns();

  constructor(private readonly nodeId: string) {}

  /** Accepts a list, after any other one with the same id. */
  inTurn<T>(requestId: unknown, accept: () => Promise<T>): Promise<T> {
    return typeof requestId === "string" ? this.#turns.take(requestId, accept) : accept();
  }

  /**
   * Rejects with TenantError ERR_DUPLICATE, if a list with this id has come before.
   * @param isHere whether a list with this id is called, or waits: the process that wrote it down may have ended before it took the id
   */
  async check(requestId: unknown, client: TenantClient, isHere: boolean): Promise<void> {
    if (isHere) await this.keep(requestId, client);
    const key = this.#keyOf(requestId);
    const refusal = key && (await tryKey(client, key));
    if (refusal) throw refusal;
  }

  /**
   * Refuses a list that comes again with the id of an earlier one. Rejects with TenantError ERR_DUPLICATE.
   * @returns gives the id back, if the list is not accepted
   */
  async take(requestId: unknown, client: TenantClient): Promise<() => void> {
    const key = this.#keyOf(requestId);
    if (!key) return () => {};
    const acceptance = await client.ask(({ keys }) => keys.take(key));
    const refusal = refusalOf(acceptance, { options: client.options, waiting: 0 });
    if (refusal) throw refusal;
    await client.ask(({ keys }) => keys.settle(key, "applied"));
    return () => void client.ask(({ keys }) => keys.keep({ ...key, forMs: 0 })).catch(() => {});
  }

  /** Takes the id of a list that an earlier process has written down: it may have ended before it took it. Rejects if the store fails. */
  async keep(requestId: unknown, client: TenantClient): Promise<void> {
    const key = this.#keyOf(requestId);
    if (key) await client.ask(({ keys }) => keys.keep(key));
  }

  /** Notes what a sender was told, for its repetitions. */
  tell(requestId: unknown, good: number): void {
    this.#told.set(requestId, good);
    for (const [oldest] of this.#told) if (this.#told.size > MOST_TOLD) this.#told.delete(oldest);
  }

  told(requestId: unknown): number | undefined {
    return this.#told.get(requestId);
  }

  #keyOf(requestId: unknown): Key | undefined {
    if (typeof requestId !== "string") return undefined;
    return { hash: hashOf(`list ${JSON.stringify(this.nodeId)} request ${requestId}`), forMs: REQUEST_MS };
  }
}
