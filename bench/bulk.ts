import { SCHEDULES } from "./answers";
import type { Burst } from "./driver/burst";
import { action, burst, loop, tab, tenant } from "./flows";
import type { Effort } from "./main";
import { NodeRed } from "./node-red";
import type { Tenant } from "./tenant-process";
import { userFolder } from "./user-folder";

export interface Bulk {
  readonly each: {
    readonly count: number;
    readonly ms: number;
    readonly heapPeak: number;
    readonly heapBefore: number;
  };
  readonly burst: Burst & { readonly count: number; readonly rate: number; readonly watchMs: number };
}

/** Calls a second that the limited tenant takes. */
const RATE = 1000;
const WATCH_MS = 3000;

/** Many messages out of one, and far too many at once. */
export async function measureBulk(server: Tenant, { burst: count }: Effort): Promise<Bulk> {
  const { nodeRed } = await NodeRed.start(userFolder("bulk", "shipped"));
  const list = {
    id: "list",
    type: "business-hour-list",
    tenant: "tenant",
    output: "each",
    limit: "100",
    limitType: "num",
  };
  await nodeRed.deploy(tab(tenant(server.origin), loop(list)));
  await nodeRed.ask("each", { loop: "loop list", count: SCHEDULES });
  const { heap } = await nodeRed.memory();
  const each = await nodeRed.ask("each", { loop: "loop list", count: SCHEDULES });

  await nodeRed.deploy(burst(tenant(server.origin, { rate: RATE, backlog: count }), action("call-out")));
  const waiting = await nodeRed.ask("burst", {
    loop: "loop call-out",
    control: "loop control",
    count,
    watchMs: WATCH_MS,
  });
  await nodeRed.stop();
  return {
    each: { count: SCHEDULES, heapBefore: heap, ...each },
    burst: { ...waiting, count, rate: RATE, watchMs: WATCH_MS },
  };
}
