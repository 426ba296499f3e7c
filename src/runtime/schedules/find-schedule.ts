import { type ErrorKey, maskNumbers } from "../../fields";
import { readGivenSchedule, type Schedule } from "../../hours";
import {
  type Code,
  type Details,
  type JobResult,
  operations,
  type Request,
  requestFor,
  type TenantClient,
  TenantError,
} from "../../tenant";
import { NoSchedule } from "../node-red/no-schedule";
import { wholeList } from "./pages";

/** A schedule of a tenant, by id or by exact name. A changed schedule has a new id, so a name is looked up each time. */
export type ScheduleKey = { readonly id: string } | { readonly name: string };

/** Reads a schedule from a tenant. Never rejects: a failure is a result. */
export async function findSchedule(client: TenantClient, key: ScheduleKey): Promise<Schedule | NoSchedule> {
  const send = (request: Request) =>
    client.send({
      id: "",
      nodeId: "",
      action: "business-hour-gate",
      lane: "other",
      repeat: "freely",
      impatient: true,
      request,
    });
  const byId = "id" in key;
  const result = byId ? await send(requestFor(operations.readBusinessHour, key)) : await schedulesNamed(key.name, send);
  const fail = (code: Code, errorKey: ErrorKey, details: Details = {}) => {
    // A message may bring anything as a name, a phone number too, and errors are logged.
    const params = { name: maskNumbers(byId ? key.id : key.name) };
    const facts = { sent: "yes", outcome: "not-applied", retryable: true, key: errorKey, params } as const;
    return new NoSchedule(new TenantError(code, "parse", { ...details, ...facts }), result.timings);
  };
  if (!result.ok) {
    const { key, details } = result.error;
    return key === "noSuchSchedule"
      ? fail("ERR_SCHEDULE", "schedule.noId", details)
      : new NoSchedule(result.error, result.timings);
  }
  const found = byId ? [result.data] : (result.data as readonly unknown[]);
  if (found.length !== 1) return fail("ERR_SCHEDULE", found.length === 0 ? "schedule.none" : "schedule.several");
  try {
    return readGivenSchedule(found[0]);
  } catch {
    return fail("ERR_BAD_RESPONSE", "scheduleUnreadable");
  }
}

/**
 * Reads the schedules with exactly this name, as the tenant gives them: its search also finds names that contain it.
 * Rejects only if `send` does.
 */
export async function schedulesNamed(name: string, send: (request: Request) => Promise<JobResult>): Promise<JobResult> {
  const result = await wholeList({ request: requestFor(operations.listBusinessHours, { search: name }), send });
  if (!result.ok) return result;
  return { ...result, data: (result.data as readonly unknown[]).filter((item) => nameOf(item) === name) };
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}
