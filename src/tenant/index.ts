export { type Address, isLoopback, parseAddress } from "./address";
export { type ClientOptions, TenantClient } from "./client";
export { type Code, type Details, notSent, type Outcome, type Phase, type Sent, TenantError } from "./errors";
export { type Job, type JobResult, outcomeOf, type RequestSummary, type Timings } from "./job";
export type { JobListener } from "./job-run";
export { DeduplicationKeys } from "./queue/deduplication";
export { logExcerpt, redactor } from "./redact";
export {
  type Body,
  path,
  type Query,
  type Request,
  target as requestTarget,
  wireBody,
} from "./request";
export type { Repeat } from "./retry-policy";
export { asConfigError, type Mode, readSettings, readToken, type Settings } from "./settings";
export type { ProxyServer } from "./transport/connect";
export { readTls } from "./transport/tls";
