import {
  type ClientOptions,
  type Job,
  type JobResult,
  type Outcome,
  type Owner,
  parseAddress,
  type Request,
  RequestStyle,
  TenantClient,
  type TenantError,
} from "../../../src/client";
import { assertNoToken } from "../../support/canary";

/** Makes what the tests of the client share: a client against a loopback server, one job of each kind, and an end awaited. */
export function clientFor(url: string, options: Partial<ClientOptions> = {}): TenantClient {
  return new TenantClient({ ...optionsFor(url), ...options });
}

export function optionsFor(url: string): ClientOptions {
  return {
    address: parseAddress(url),
    token: "canary",
    authHeader: "Authentication",
    style: new RequestStyle("dotted"),
    timeoutMs: 60_000,
    concurrency: 8,
    rate: 0,
    backlog: 10_000,
    onTrouble: "fail",
  };
}

const plan = "/api/v1/setting/business-hour";

function job(id: string, action: string, request: Request, rest: Pick<Job, "lane" | "repeat">): Job {
  return { id, nodeId: "node", action, request, ...rest };
}

/** A job that is never repeated: a phone would ring twice. */
export const callOut = (number: string, more: Partial<Job> = {}): Job => ({
  ...job(
    number,
    "call-out",
    {
      method: "POST",
      path: "/api/v1/call/call-out",
      body: { "from.number": "1000", "to.number": number, answer_url: "https://example.com" },
    },
    { lane: "callOut", repeat: "never" },
  ),
  ...more,
});

/** A job that is repeated once. */
export const callStop = (callId: string): Job =>
  job(
    callId,
    "call-stop",
    { method: "POST", path: "/api/v1/call/stop-a-call", body: { callId } },
    { lane: "live", repeat: "once" },
  );

const onSchedule = (id: string, action: string, method: "GET" | "DELETE"): Job =>
  job(id, action, { method, path: `${plan}/${id}`, summary: { id } }, { lane: "other", repeat: "freely" });

/** A job that is repeated freely. */
export const read = (id: string): Job => onSchedule(id, "business-hour-get", "GET");

/** A job that is retried freely, although its outcome is unknown when the answer is lost. */
export const remove = (id: string): Job => onSchedule(id, "business-hour-delete", "DELETE");

/** Lets a job begin that was just sent: it is admitted, and its backlog confirms it, in later microtasks. */
export const begun = (): Promise<void> =>
  Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));

/** Sends a job, and watches its call. */
export function watched(client: TenantClient, job: Job, moved: NonNullable<Owner["moved"]>): Promise<JobResult> {
  return new Promise((ended) => client.submit(job, { moved, ended }));
}

/** Sends a job, and checks that its result holds no token. */
export async function done(client: TenantClient, wanted: Job): Promise<JobResult> {
  const result = await client.send(wanted);
  // A success's data is never altered, and may hold whatever the service says.
  assertNoToken(`${wanted.action} ${wanted.id}`, result.ok ? [result.summary, result.timings] : result);
  return result;
}

export async function failureOf(client: TenantClient, wanted: Job): Promise<TenantError> {
  const end = await done(client, wanted);
  if (end.ok) throw new Error(`${wanted.action} ${wanted.id} succeeded with ${end.status}`);
  return end.error;
}

export async function close(client: TenantClient): Promise<void> {
  await client.stop(0);
}

/** A job result in short form, for tables. */
export interface ResultSummary {
  code: string;
  phase?: string;
  sent?: string;
  outcome: Outcome;
  retryable?: boolean;
  attempts: number;
  status?: number | undefined;
}

export function summarize(end: JobResult): ResultSummary {
  if (end.ok) return { code: "ok", outcome: "applied", attempts: end.timings.attempts, status: end.status };
  const { code, phase, sent, outcome, retryable, details } = end.error;
  return { code, phase, sent, outcome, retryable, attempts: end.timings.attempts, status: details.httpStatus };
}

/** Keeps the event loop from turning, as a flow's heavy function does. */
export function block(ms: number): void {
  // Asleep rather than busy: it is this process that is to stand still, not the machine.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
