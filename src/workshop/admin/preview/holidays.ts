import type { Node, NodeAPI, NodeDef } from "node-red";
import { DownloadError } from "../../../client/transport/download";
import {
  type Config,
  calendarAddress,
  custom,
  reader as fieldReader,
  isGiven,
  MESSAGE_TYPES,
  pairOf,
  ValueError,
} from "../../../fields";
import { checkFlow } from "../../../fields/sources/property";
import { errorIn } from "../../../fields/value-error";
import { hasVariable } from "../../../fields/variable";
import { type Exceptions, holidaysOf, hostZone, isEmpty, isZone, loadZone } from "../../../hours";
import { DAY_MS } from "../../../hours/dates";
import { flows } from "../../../runtime/delivery/flow-lifecycle";
import { hostOf, NO_SOURCES } from "../../../runtime/node-red/host";
import type { Calendar } from "../../../runtime/schedules/calendar";
import { calendarAt, forgetUnfollowed, knownCalendar } from "../../../runtime/schedules/calendars";
import { exceptionsInSlices, resolvedInSlices } from "../../../runtime/schedules/read-in-slices";
import { tenantOf } from "../../../runtime/tenants/tenants";
import { joined } from "../../../texts/catalogue";
import { type Body, HttpError } from "../http";
import type { Preview, Reader } from "./answer";

/** The nodes in a subflow, as Node-RED knows them: in each instance, they have other ids than in the flow file. */
interface Inside {
  readonly node_map?: Readonly<Record<string, { readonly id: string }>>;
}

/**
 * Counts the exceptions of a dialog, as they are now: those of a list, of a context store, of the environment, or of a
 * calendar that a deployed node names. Shows nothing else of the value, since not every reader may see it.
 */
export async function previewHolidays(reader: Reader, config: Config, body: Body): Promise<Preview> {
  const property = propertyOf(body);
  const { value, type } = pairOf(config, property) ?? { value: undefined, type: "list" };
  if (MESSAGE_TYPES.includes(type)) return { lines: [{ text: reader.text("holidays.byMessage") }] };
  // Without a list, there is nothing to count.
  if (Array.isArray(value) && value.length === 0) return { lines: [] };
  checkFlow({ value, type }, property, body["z"]);
  const needsNode = ["flow", "global", "env"].includes(type) || (type === "url" && hasVariable(value));
  const node = needsNode ? nodeOf(reader.server, String(config["id"]), body["z"], type) : undefined;
  if (node === null) return byDeploy(reader);
  const host = node ? hostOf(reader.server, node) : NO_SOURCES;
  if (type === "url") {
    if (!isGiven(value)) return flagged(reader.text("holidays.none"));
    const calendar = knownCalendar(calendarAddress(value, property, (name) => host.env(name)));
    return calendar
      ? summaryOf(reader, config, property, calendar)
      : { ...byDeploy(reader), canFetch: !hasVariable(value) };
  }
  const fields = { [property]: custom("list", exceptionsInSlices) };
  try {
    const values = await fieldReader(fields, config, host).read({});
    return summary(reader, config, values[property]);
  } catch (error) {
    throw node ? withoutValue(error) : error;
  }
}

/** Fetches an address that was typed: at most one at a time, since each may have megabytes. */
export async function fetchCalendar(reader: Reader, config: Config, body: Body): Promise<Preview> {
  if (!flows.running) throw new HttpError(503);
  const property = propertyOf(body);
  // Environment variables are sent nowhere but where a deployed node sends them.
  if (hasVariable(config[property])) return byDeploy(reader);
  const address = calendarAddress(config[property], property, () => undefined);
  if (!knownCalendar(address)) forgetUnfollowed();
  const calendar = calendarAt(reader.server, address);
  if (!calendar.isFollowed) await calendar.renew();
  return summaryOf(reader, config, property, calendar);
}

function propertyOf({ property }: Body): "exceptions" | "callingExceptions" {
  return property === "callingExceptions" ? property : "exceptions";
}

function byDeploy(reader: Reader): Preview {
  return { lines: [{ text: reader.text("holidays.byDeploy") }] };
}

function flagged(text: string): Preview {
  return { lines: [{ text, kind: "problem" }] };
}

async function summaryOf(reader: Reader, config: Config, property: string, calendar: Calendar): Promise<Preview> {
  const text = await calendar.read().catch((error) => Promise.reject(errorIn(property, error)));
  const { problem, value } = calendar;
  if (text !== undefined) return summary(reader, config, await exceptionsInSlices(text, property), value?.fetchedAt);
  if (!(problem instanceof DownloadError)) return flagged(reader.text("holidays.none"));
  const reason = reader.text(`status.${problem.key}`, problem.params);
  return flagged(reader.text("holidays.unknown", { reason }));
}

async function summary(
  reader: Reader,
  config: Config,
  exceptions: Exceptions | undefined,
  fetchedAt?: string,
): Promise<Preview> {
  if (!exceptions || isEmpty(exceptions)) return flagged(reader.text("holidays.none"));
  const [zone, now] = [await loadZone(zoneOf(config)), Date.now()];
  await resolvedInSlices({ exceptions, zone }, now);
  const { count, next, last, leftOut } = holidaysOf(exceptions, zone, now);
  const beside = (...texts: readonly string[]) => joined(reader.text, "pattern.also", texts.filter(Boolean));
  const coming = next
    ? reader.text("holidays.next", { next: beside(next.name ?? "", dayText(reader, next.date)) })
    : reader.text("holidays.noNext");
  const text = joined(reader.text, "pattern.beside", [
    last
      ? reader.text("holidays.noneAhead", { last: dayText(reader, last) })
      : beside(reader.text(count === 1 ? "holidays.one" : "holidays.several", { count }), coming),
    ...(leftOut > 0 ? [reader.text("status.eventsLeftOut", { count: leftOut })] : []),
    ...(fetchedAt ? [reader.text("holidays.fetchedAt", { at: fetchedText(reader, fetchedAt) })] : []),
  ]);
  return last !== null || leftOut > 0 ? flagged(text) : { lines: [{ text }] };
}

/** The language of dates: American English would write the month first. */
function languageOf({ language }: Reader): string {
  return language === "en-US" ? "en-GB" : language;
}

/** Writes a date as "Fri 1 January", with its year if that is past or more than a year away. */
function dayText(reader: Reader, date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const days = (day.getTime() - Date.now()) / DAY_MS;
  const isFar = days > 360 || days < -1;
  const options = { weekday: "short", day: "numeric", month: "long", timeZone: "UTC" } as const;
  return day
    .toLocaleDateString(languageOf(reader), { ...options, ...(isFar && { year: "numeric" }) })
    .replace(/^(\p{L}+), (?=\d)/u, "$1 ");
}

/** Writes an instant in the zone of the browser. */
function fetchedText(reader: Reader, instant: string): string {
  const timeZone = isZone(reader.zone) ? { timeZone: reader.zone } : {};
  return new Date(instant).toLocaleString(languageOf(reader), { dateStyle: "medium", timeStyle: "short", ...timeZone });
}

function zoneOf({ timezone, timezoneType = "str", tenant }: Config): string {
  const names = [timezoneType === "str" && timezone, tenantOf(String(tenant ?? "")).settings?.timezone];
  return names.find((name) => isZone(name)) ?? hostZone();
}

/** A deployed node that sees the same values as the one of the dialog: itself, its first instance in a subflow, or one of its tab. */
function nodeOf({ nodes }: NodeAPI, id: string, z: unknown, type: string): Node | null {
  const [instances, beside]: [Node[], Node[]] = [[], []];
  nodes.eachNode(({ id: other, z: tab }: NodeDef & { z?: string }) => {
    const node = nodes.getNode(other) as (Node & { _flow?: Inside }) | null;
    const instance = nodes.getNode(node?._flow?.node_map?.[id]?.id ?? "");
    if (instance) instances.push(instance);
    if (node && (type === "global" || type === "url" || tab === z)) beside.push(node);
  });
  return nodes.getNode(id) ?? instances[0] ?? beside[0] ?? null;
}

/** The same refusal without what was refused, which may be any value of a context store. */
function withoutValue(error: unknown): unknown {
  if (!(error instanceof ValueError)) return error;
  const hidden = ["value", "from", "to"].filter((name) => name in error.params).map((name) => [name, "…"]);
  return new ValueError(error.key, error.path, { ...error.params, ...Object.fromEntries(hidden) }, error.source);
}
