import type { TenantClient } from "../../tenant";
import { publish } from "./channel";
import { Statistics } from "./statistics";

/** Counts how the jobs of a tenant's client end, and publishes each. */
export function observe(client: TenantClient, tenant: string, mode: string): Statistics {
  const statistics = new Statistics();
  client.onResult = (job, result) => {
    // Another process sends the message on, and counts it.
    if (result.sentOn) return;
    statistics.count(job, result, performance.now());
    publish(tenant, mode, job, result);
  };
  return statistics;
}
