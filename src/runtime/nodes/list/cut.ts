import { dropped, notSent, type TenantClient, type TenantError } from "../../../client";
import { AGAIN_MS } from "./feed";
import type { StoppedBy } from "./list-file";

/** Ends the rows of a stopped list that wait in the backlog, again and again until that has succeeded. */
export class Cut {
  isDue = false;

  /** @param again called when it is time to try once more */
  constructor(
    private readonly list: string,
    private readonly again: () => void,
  ) {}

  /** Resolves to how many it has ended. */
  async make(client: TenantClient | undefined): Promise<number> {
    this.isDue = false;
    const ended = await client?.end({ list: this.list }).catch(() => undefined);
    if (ended) return ended.cancelled;
    this.isDue = true;
    setTimeout(this.again, AGAIN_MS).unref();
    return 0;
  }
}

/** The error with which the rows of a stopped list end that have not begun. */
export function restOf(by: StoppedBy): TenantError {
  return by === "tenant" ? notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" }) : dropped();
}
