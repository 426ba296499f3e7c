import { hashOf, type Key } from "../../../backlog";
import type { FirstUse } from "../../../backlog/entry";
import { type TenantClient, tryKey } from "../../../client";
import type { RowDone } from "./rows-done";

/** A place has a key for so long, unless the end of its row is written down before. Milliseconds. */
const PLACE_MS = 30 * 86_400_000;

/**
 * The places of a list's rows in a store that several processes share: another process may have called a row, and only the store
 * knows. Elsewhere, places have no keys.
 */
export class Places {
  constructor(private readonly list: string) {}

  keysOf(index: number, { lanes }: TenantClient): readonly Key[] {
    return lanes.isShared ? [{ hash: hashOf(`list ${this.list} ${index}`), forMs: PLACE_MS }] : [];
  }

  /** Resolves to what became of the row at another process, if that has it. Rejects if the store fails. */
  async outcomeOf(index: number, client: TenantClient): Promise<FirstUse["outcome"] | undefined> {
    const [place] = this.keysOf(index, client);
    const refusal = place && (await tryKey(client, place));
    if (refusal && refusal.code !== "ERR_DUPLICATE") throw refusal;
    return refusal?.details.first?.outcome;
  }

  /** The ends of rows are on disk: nobody needs to know any more that they were called. */
  giveBack(rows: readonly RowDone[], client: TenantClient): void {
    const kept = rows.filter(({ ended: [outcome] }) => outcome === "applied" || outcome === "unknown");
    const places = kept.flatMap(({ index }) => this.keysOf(index, client));
    if (places.length === 0) return;
    const keep = ({ hash }: Key) => client.ask(({ keys }) => keys.keep({ hash, forMs: 0 }));
    void Promise.all(places.map(keep)).catch(() => {});
  }
}
