export { type Ending, type Lanes, TenantClient } from "./client";
export { type Code, type Details, dropped, notSent, type Outcome, type Phase, type Sent, TenantError } from "./errors";
export type { Guarded, GuardLists } from "./guard/number-guard";
export {
  type Answered,
  type Failed,
  type Job,
  type JobResult,
  type Lane,
  NO_TIMINGS,
  type Owner,
  outcomeOf,
  type Timings,
  type Unfinished,
} from "./job";
export { operations, requestFor } from "./operations";
export {
  findUnknown,
  listUnknown,
  listWaiting,
  troubleOf,
  tryGuard,
  tryKey,
  type UnknownCall,
  type WaitingCall,
} from "./questions";
export { type CallingHours, type CallOutHold, holdOf, holdsOf } from "./queue/calling-hours";
export type { ClientOptions, Follower, RestoreHandler } from "./queue/options";
export { heldText, holdTexts, momentText } from "./queue/trouble-text";
export { logExcerpt, redactor } from "./redact";
export { asConfigError, asTenantError } from "./refused-value";
export type {
  Body,
  Query,
  Request,
  RequestSummary,
} from "./request";
export { RequestStyle } from "./request-style";
export type { Repeat } from "./retry-policy";
export { type Mode, readRedisUrl, readSettings, readToken, type Settings } from "./settings";
export { type Address, parseAddress } from "./transport/address";
export type { ProxyServer } from "./transport/connect";
export { readTls } from "./transport/tls";
export { platformProblem } from "./transport/undici";
