import type { Node, NodeAPI } from "node-red";
import { DownloadError } from "../../client/transport/download";
import {
  type Config,
  calendarAddress,
  custom,
  type Host,
  isGiven,
  MESSAGE_TYPES,
  reader,
  ValueError,
} from "../../fields";
import { checkFlow } from "../../fields/sources/property";
import { type Exceptions, type Holidays, holidaysOf, hostZone, isEmpty, isZone, loadZone } from "../../hours";
import { flows } from "../../runtime/delivery/flow-lifecycle";
import { hostOf, NO_SOURCES } from "../../runtime/node-red/host";
import type { Calendar } from "../../runtime/schedules/calendars/calendar";
import { calendarAt, forgetUnfollowed, knownCalendar } from "../../runtime/schedules/calendars/calendar-follower";
import { exceptionsInSlices, resolvedInSlices } from "../../runtime/schedules/read-in-slices";
import { tenantOf } from "../../runtime/tenants/tenants";
import { type Body, HttpError } from "./http";

/** What the exceptions of a dialog are, whatever their source. */
export type HolidaysAnswer = { readonly ok: true } & (
  | (Holidays & { readonly fetchedAt?: string | undefined })
  /** Nothing is there; `status` is a text of the catalogue that says why, where it is known. */
  | { readonly missing: true; readonly status?: string; readonly params?: DownloadError["params"] }
  | { readonly by: "message" | "deploy" }
  /** An address that was not fetched yet. */
  | { readonly by: "fetch" }
);

/**
 * Counts the exceptions of a dialog, as they are now: those of a list, of a context store, of the environment, or of a
 * calendar that a deployed node names. Shows nothing else of the value, since not every reader may see it.
 */
export async function showHolidays(RED: NodeAPI, body: Body): Promise<HolidaysAnswer> {
  const type = String(body["type"]);
  if (MESSAGE_TYPES.includes(type)) return { ok: true, by: "message" };
  checkFlow({ value: body["value"], type }, "exceptions", body["z"]);
  const needsNode = ["flow", "global", "env"].includes(type) || (type === "url" && hasVariable(body));
  const node = needsNode ? nodeOf(RED, body, type) : undefined;
  if (node === null) return { ok: true, by: "deploy" };
  const host = node ? hostOf(RED, node) : NO_SOURCES;
  if (type === "url") return showCalendar(body, host);
  const config: Config = { exceptions: body["value"], exceptionsType: type };
  const read = reader({ exceptions: custom("list", exceptionsInSlices) }, config, host).read({});
  const { exceptions } = await read.catch((error: unknown) => {
    throw node ? withoutValue(error) : error;
  });
  return summary(body, exceptions);
}

/** Fetches an address that was typed: at most one at a time, since each may have megabytes. */
export async function tryCalendar(RED: NodeAPI, body: Body): Promise<HolidaysAnswer> {
  if (!flows.running) throw new HttpError(503);
  // Environment variables are sent nowhere but where a deployed node sends them.
  if (hasVariable(body)) return { ok: true, by: "deploy" };
  const address = calendarAddress(body["value"], "exceptions", () => undefined);
  if (!knownCalendar(address)) forgetUnfollowed();
  const calendar = calendarAt(RED, address);
  if (!calendar.isFollowed) await calendar.fetch();
  return summaryOf(body, calendar);
}

function hasVariable({ value }: Body): boolean {
  return String(value).includes("${");
}

async function showCalendar(body: Body, host: Host): Promise<HolidaysAnswer> {
  if (!isGiven(body["value"])) return { ok: true, missing: true };
  const calendar = knownCalendar(calendarAddress(body["value"], "exceptions", (name) => host.env(name)));
  if (calendar) return summaryOf(body, calendar);
  return { ok: true, by: hasVariable(body) ? "deploy" : "fetch" };
}

async function summaryOf(body: Body, calendar: Calendar): Promise<HolidaysAnswer> {
  const text = await calendar.read();
  const { problem, copy } = calendar;
  if (text !== undefined) return summary(body, await exceptionsInSlices(text, "exceptions"), copy?.fetchedAt);
  if (!(problem instanceof DownloadError)) return { ok: true, missing: true };
  return { ok: true, missing: true, status: problem.key, params: problem.params };
}

async function summary(body: Body, exceptions: Exceptions | undefined, fetchedAt?: string): Promise<HolidaysAnswer> {
  if (!exceptions || isEmpty(exceptions)) return { ok: true, missing: true };
  const zone = await loadZone(zoneOf(body));
  const now = Date.now();
  await resolvedInSlices(exceptions, zone, now);
  return { ok: true, ...holidaysOf(exceptions, zone, now), fetchedAt };
}

function zoneOf({ timezone, tenant }: Body): string {
  const names = [timezone, tenantOf(String(tenant ?? "")).settings?.timezone];
  return names.find((name) => isZone(name)) ?? hostZone();
}

/** A deployed node that sees the same values as the one of the dialog: itself, or one of its tab. */
function nodeOf(RED: NodeAPI, { id, z }: Body, type: string): Node | null {
  const own = RED.nodes.getNode(String(id ?? ""));
  if (own) return own;
  let found: Node | null = null;
  RED.nodes.eachNode((config) => {
    const { id: other, z: tab } = config as unknown as { id: string; z?: string };
    if (!found && (type === "global" || type === "url" || tab === z)) found = RED.nodes.getNode(other);
  });
  return found;
}

/** The same refusal without what was refused, which may be any value of a context store. */
function withoutValue(error: unknown): unknown {
  if (!(error instanceof ValueError)) return error;
  const hidden = ["value", "from", "to"].filter((name) => name in error.params).map((name) => [name, "…"]);
  return new ValueError(error.key, error.path, { ...error.params, ...Object.fromEntries(hidden) }, error.source);
}
