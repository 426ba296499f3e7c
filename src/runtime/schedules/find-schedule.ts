import { type ErrorKey, maskNumbers } from "../../fields";
import { readSchedule, type Schedule } from "../../hours";
import {
  type Code,
  type Details,
  type Job,
  type JobResult,
  path,
  type Request,
  type TenantClient,
  TenantError,
  type Timings,
} from "../../tenant";
import { wholeList } from "../actions/pages";
import { NoSchedule } from "./no-schedule";

/** Which schedule of a tenant: by id, or by its exact name, looked up anew each time since a changed one has a new id. */
export type ScheduleKey = { readonly id: string } | { readonly name: string };

/** Asks a tenant for a schedule. Never rejects: what went wrong is the result. */
export async function findSchedule(client: TenantClient, key: ScheduleKey): Promise<Schedule | NoSchedule> {
  const ask = (request: Request) =>
    new Promise<JobResult>((resolve) => {
      const job: Job = { id: "", nodeId: "", action: "business-hour-gate", lane: "other", repeat: "freely", request };
      client.submit(job, { ended: resolve });
    });
  // A message may name anything, a phone number too, and errors end in the log.
  const called = maskNumbers("id" in key ? key.id : key.name);
  if ("id" in key) {
    const end = await ask({ method: "GET", path: path`/api/v1/setting/business-hour/${key.id}` });
    if (end.ok) return readable(end.data, called, end.tally);
    const { details } = end.error;
    const none = details.httpStatus === 404;
    return none ? missing("schedule.noId", called, end.tally, details) : new NoSchedule(end.error, end.tally);
  }
  const { name } = key;
  const request: Request = { method: "GET", path: "/api/v1/setting/business-hour", query: { search: name } };
  const end = await wholeList({ request, ask, progress: () => {} });
  if (!end.ok) return new NoSchedule(end.error, end.tally);
  const named = (end.data as readonly unknown[]).filter((item) => nameOf(item) === name);
  if (named.length === 1) return readable(named[0], called, end.tally);
  return missing(named.length === 0 ? "schedule.none" : "schedule.several", called, end.tally);
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}

function readable(data: unknown, name: string, tally: Timings): Schedule | NoSchedule {
  try {
    return readSchedule(data);
  } catch {
    return answered("ERR_BAD_RESPONSE", "scheduleUnreadable", name, tally);
  }
}

function missing(key: ErrorKey, name: string, tally: Timings, details?: Details): NoSchedule {
  return answered("ERR_SCHEDULE", key, name, tally, details);
}

function answered(code: Code, key: ErrorKey, name: string, tally: Timings, details: Details = {}): NoSchedule {
  return new NoSchedule(new TenantError(code, "parse", "yes", "not-applied", true, details, key, { name }), tally);
}

/** Whether the tenant has no such schedule, or several: an answer, unlike a tenant that is away. */
export function isMissing({ why }: NoSchedule): boolean {
  return why.code === "ERR_SCHEDULE";
}
