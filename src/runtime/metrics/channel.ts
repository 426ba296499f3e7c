import { channel } from "node:diagnostics_channel";
import { type Follower, type Job, type JobResult, outcomeOf, type TenantClient } from "../../client";
import { Statistics } from "./statistics";
import { todayOf } from "./today";

/** For tools such as OpenTelemetry: each request that ends is published here (docs/contract/control.md#metrics). */
const ended = channel("cloud-telephony:request:end");

/** Counts how the jobs of a tenant's client end, and publishes each. */
export function observe(
  client: TenantClient,
  tenant: string,
  mode: string,
  onResult: NonNullable<Follower["ended"]>,
): Statistics {
  const statistics = new Statistics(todayOf(tenant, mode));
  client.follow({
    ended(job, result) {
      // Another process sends the message on, and counts it.
      if (result.sentOn) return;
      onResult(job, result);
      statistics.count(job, result);
      publish(tenant, mode, job, result);
    },
  });
  return statistics;
}

/** Publishes nobody's number, and no text. Costs nothing while nobody listens. */
function publish(tenant: string, mode: string, job: Job, result: JobResult): void {
  if (!ended.hasSubscribers) return;
  const { nodeId: node, action, id: message } = job;
  const httpStatus = result.ok ? result.status : result.error.details.httpStatus;
  ended.publish({
    tenant,
    mode,
    node,
    action,
    message,
    outcome: outcomeOf(result),
    ...(!result.ok && { code: result.error.code }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...result.timings,
    endedAt: Date.now(),
  });
}
