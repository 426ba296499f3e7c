import {
  type Code,
  type Details,
  type JobResult,
  operations,
  type Request,
  requestFor,
  type TenantClient,
  TenantError,
} from "../../client";
import { type ErrorKey, maskNumbers } from "../../fields";
import { readGivenSchedule, type Schedule } from "../../hours";
import { NoSchedule } from "../node-red/no-schedule";
import { sum, wholeList } from "./pages";

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
  const result = byId ? await send(requestFor(operations.readBusinessHour, key)) : await schedulesLike(key.name, send);
  const fail = (code: Code, errorKey: ErrorKey, details: Details = {}, there = "") => {
    // A message may bring anything as a name, a phone number too, and errors are logged.
    const params = { name: maskNumbers(byId ? key.id : key.name), there };
    const facts = { sent: "yes", outcome: "not-applied", key: errorKey, params } as const;
    return new NoSchedule(new TenantError(code, "parse", { ...details, ...facts }), result.timings);
  };
  if (!result.ok) {
    const { key, details } = result.error;
    return key === "noSuchSchedule"
      ? fail("ERR_SCHEDULE", "schedule.noId", details)
      : new NoSchedule(result.error, result.timings);
  }
  const all = byId ? [result.data] : (result.data as readonly unknown[]);
  const found = byId ? all : withName(all, key.name);
  if (found.length > 1) return fail("ERR_SCHEDULE", "schedule.several");
  if (found.length === 0 && !byId) {
    const alike = await nameAlike(key.name, all, send);
    return alike === undefined
      ? fail("ERR_SCHEDULE", "schedule.none")
      : fail("ERR_SCHEDULE", "schedule.alike", {}, maskNumbers(spelledOut(alike)));
  }
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
  const result = await schedulesLike(name, send);
  return result.ok ? { ...result, data: withName(result.data as readonly unknown[], name) } : result;
}

/** Reads the schedules whose name may be this one. If the list changes between two pages, neither may have a schedule that is there. */
async function schedulesLike(name: string, send: (request: Request) => Promise<JobResult>): Promise<JobResult> {
  let pages = 0;
  const first = await schedulesFor(name, (request) => {
    pages += 1;
    return send(request);
  });
  if (!first.ok || pages === 1 || withName(first.data as readonly unknown[], name).length > 0) return first;
  const again = await schedulesFor(name, send);
  return { ...again, timings: sum(first.timings, again.timings) };
}

/** Selects the schedules of exactly this name, each once: two pages may have the same one. */
function withName(items: readonly unknown[], name: string): readonly unknown[] {
  const named = items.filter((item) => nameOf(item) === name);
  return [...new Map(named.map((item) => [Object(item).id ?? item, item])).values()];
}

function schedulesFor(search: string, send: (request: Request) => Promise<JobResult>): Promise<JobResult> {
  return wholeList({ request: requestFor(operations.listBusinessHours, { search }), send });
}

/** A name that differs only in what nobody sees. With that in it, the service's search finds nothing: a part is searched for, too. */
async function nameAlike(
  name: string,
  found: readonly unknown[],
  send: (request: Request) => Promise<JobResult>,
): Promise<string | undefined> {
  const [part = ""] = name.split(UNSEEN).sort((a, b) => b.length - a.length);
  const more = part === "" || part === name ? undefined : await schedulesFor(part, send);
  const others = more?.ok ? (more.data as readonly unknown[]) : [];
  return [...found, ...others].map(nameOf).find((other) => visible(other) === visible(name));
}

function nameOf(item: unknown): string {
  return String(Object(item).name ?? "");
}

const UNSEEN = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

function visible(name: string): string {
  return name.replace(UNSEEN, "");
}

/** A name in quotation marks, with the code of each character that is not seen, but for single blanks. */
function spelledOut(name: string): string {
  const code = (sign: string) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
  return `"${name.replace(UNSEEN, (sign) => (sign === " " ? sign : code(sign)))}"`;
}
