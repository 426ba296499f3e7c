import type { NodeAPI } from "node-red";
import type { TenantClient } from "../../tenant";
import { shared } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";

/** Logs when the backlog of a client begins to fail, and when it works again, instead of each call-out that it refuses. */
export function logTrouble(RED: NodeAPI, tenant: string, client: TenantClient): void {
  let isTroubled = false;
  client.follow(() => {
    const { trouble: reason } = client.lanes;
    if (isTroubled === (reason !== undefined)) return;
    isTroubled = reason !== undefined;
    swallowErrors(() => {
      if (reason !== undefined) RED.log.warn(shared(RED, "log.engineTrouble", { tenant, reason }));
      else RED.log.info(shared(RED, "log.engineWorks", { tenant }));
    });
  });
}
