import { channel } from "node:diagnostics_channel";
import { type Job, type JobResult, outcomeOf, type TenantClient } from "../../tenant";
import { Statistics } from "./statistics";

/** For tools such as OpenTelemetry: each request that ends is published here (docs/contract.md#metrics). */
const ended = channel("cloud-telephony:request:end");

/** How a request ended. Contains nobody's number, and no text. */
interface Ended {
  /** The config node's id. */
  readonly tenant: string;
  readonly mode: string;
  /** The node's id and type. */
  readonly node: string;
  readonly action: string;
  /** The message's id. */
  readonly message: string;
  readonly outcome: string;
  /** The error's code, if it failed. */
  readonly code?: string;
  readonly httpStatus?: number;
  readonly attempts: number;
  readonly waitedMs: number;
  readonly elapsedMs: number;
  /** When it ended, epoch milliseconds. */
  readonly endedAt: number;
}

/** Counts how the jobs of a tenant's client end, and publishes each. */
export function observe(
  client: TenantClient,
  tenant: string,
  mode: string,
  onResult: NonNullable<TenantClient["onResult"]>,
): Statistics {
  const statistics = new Statistics();
  client.onResult = (job, result) => {
    // Another process sends the message on, and counts it.
    if (result.sentOn) return;
    onResult(job, result);
    statistics.count(job, result);
    publish(tenant, mode, job, result);
  };
  return statistics;
}

/** Costs nothing while nobody listens. */
function publish(tenant: string, mode: string, job: Job, result: JobResult): void {
  if (!ended.hasSubscribers) return;
  const { nodeId: node, action, id: message } = job;
  const httpStatus = result.ok ? result.status : result.error.details.httpStatus;
  const about: Ended = {
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
  };
  ended.publish(about);
}
