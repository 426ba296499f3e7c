import { maskNumbers } from "../fields";
import { readSchedule, type Schedule } from "../hours";
import { type End, type Job, path, type Request, type TenantClient, TenantError } from "../tenant";
import { wholeList } from "./pages";

/** Which schedule of a tenant: by id, or by its exact name, looked up anew each time since a changed one has a new id. */
export type ScheduleKey = { readonly id: string } | { readonly name: string };

/** Asks a tenant for a schedule. Never rejects: what went wrong is the result. */
export async function findSchedule(client: TenantClient, key: ScheduleKey): Promise<Schedule | TenantError> {
  const ask = (request: Request) =>
    new Promise<End>((resolve) => {
      const job: Job = { id: "", nodeId: "", action: "business-hour-gate", lane: "other", repeat: "freely", request };
      client.submit(job, { ended: resolve });
    });
  if ("id" in key) {
    const end = await ask({ method: "GET", path: path`/api/v1/setting/business-hour/${key.id}` });
    if (!end.ok) return end.error.details.httpStatus === 404 ? missing("schedule.none", key.id) : end.error;
    return readable(end.data, key.id);
  }
  const { name } = key;
  const request: Request = { method: "GET", path: "/api/v1/setting/business-hour", query: { search: name } };
  const end = await wholeList({ request, ask, emit: () => true, progress: () => {} });
  if (!end.ok) return end.error;
  const named = (end.data as readonly unknown[]).filter((item) => nameOf(item) === name);
  if (named.length === 1) return readable(named[0], name);
  return missing(named.length === 0 ? "schedule.none" : "schedule.several", name);
}

function nameOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "name" in item ? item.name : undefined;
}

function readable(data: unknown, name: string): Schedule | TenantError {
  try {
    return readSchedule(data);
  } catch {
    return new TenantError(
      "ERR_BAD_RESPONSE",
      "parse",
      "yes",
      "not-applied",
      true,
      {},
      "scheduleUnreadable",
      told(name),
    );
  }
}

function missing(key: string, name: string): TenantError {
  return new TenantError("ERR_SCHEDULE", "parse", "yes", "not-applied", true, {}, key, told(name));
}

/** What a message names may be anything, a phone number too. */
function told(name: string): { readonly name: string } {
  return { name: maskNumbers(name) };
}

/** Whether the tenant has no such schedule, or several: an answer, unlike a tenant that is away. */
export function isMissing({ code }: TenantError): boolean {
  return code === "ERR_SCHEDULE";
}
