import { type ErrorKey, maskNumbers } from "../../fields";
import { readSchedule, type Schedule } from "../../hours";
import {
  type Code,
  type Details,
  path,
  type Request,
  type TenantClient,
  TenantError,
  type Timings,
} from "../../tenant";
import { wholeList } from "../actions/pages";
import { NoSchedule } from "./no-schedule";

/** A schedule of a tenant, by id or by exact name. A changed schedule has a new id, so a name is looked up each time. */
export type ScheduleKey = { readonly id: string } | { readonly name: string };

/** Reads a schedule from a tenant. Never rejects: a failure is a result. */
export async function findSchedule(client: TenantClient, key: ScheduleKey): Promise<Schedule | NoSchedule> {
  const send = (request: Request) =>
    client.send({ id: "", nodeId: "", action: "business-hour-gate", lane: "other", repeat: "freely", request });
  // A message may bring anything as a name, a phone number too, and errors are logged.
  const called = maskNumbers("id" in key ? key.id : key.name);
  if ("id" in key) {
    const result = await send({ method: "GET", path: path`/api/v1/setting/business-hour/${key.id}` });
    if (result.ok) return readable(result.data, called, result.timings);
    const { error, timings } = result;
    const none = error.details.httpStatus === 404;
    return none ? missing("schedule.noId", called, timings, error.details) : new NoSchedule(error, timings);
  }
  const { name } = key;
  const request: Request = { method: "GET", path: "/api/v1/setting/business-hour", query: { search: name } };
  const list = await wholeList({ request, send });
  if (!list.ok) return new NoSchedule(list.error, list.timings);
  const named = (list.data as readonly unknown[]).filter((item) => nameOf(item) === name);
  if (named.length === 1) return readable(named[0], called, list.timings);
  return missing(named.length === 0 ? "schedule.none" : "schedule.several", called, list.timings);
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}

function readable(data: unknown, name: string, timings: Timings): Schedule | NoSchedule {
  try {
    return readSchedule(data);
  } catch {
    return answered("ERR_BAD_RESPONSE", "scheduleUnreadable", name, timings);
  }
}

function missing(key: ErrorKey, name: string, timings: Timings, details?: Details): NoSchedule {
  return answered("ERR_SCHEDULE", key, name, timings, details);
}

function answered(code: Code, key: ErrorKey, name: string, timings: Timings, details: Details = {}): NoSchedule {
  return new NoSchedule(new TenantError(code, "parse", "yes", "not-applied", true, details, key, { name }), timings);
}

/** Whether the tenant answered that it has no such schedule, or several. */
export function isMissing({ why }: NoSchedule): boolean {
  return why.code === "ERR_SCHEDULE";
}
