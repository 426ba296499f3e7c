import { notSent } from "../../../client";
import { type Config, type Host, isGiven, toLocalInstant } from "../../../fields";
import { hasVariable } from "../../../fields/variable";
import { formatInstant, isSameZone, specialWeek } from "../../../hours";
import { DAY_MS, wallOf } from "../../../hours/dates";
import { shared } from "../../../runtime/node-red/catalogue";
import { NO_SOURCES } from "../../../runtime/node-red/host";
import { NoSchedule } from "../../../runtime/node-red/no-schedule";
import { type BusinessHour, type Decision, Gate } from "../../../runtime/nodes/gate/gate";
import { optionReader } from "../../../runtime/nodes/gate/options";
import { gateSettings } from "../../../runtime/nodes/gate/settings";
import { type TriggerSettings, triggerSettings } from "../../../runtime/nodes/trigger/settings";
import { knownCalendar } from "../../../runtime/schedules/calendars";
import type { Hours } from "../../../runtime/schedules/hours";
import { unusable } from "../../../runtime/tenants/chosen-tenant";
import { tenantOf } from "../../../runtime/tenants/tenants";
import { joined } from "../../../texts/catalogue";
import type { Body } from "../http";
import type { Line, Preview, Reader } from "./answer";

/** The decision of a gate or a trigger, now or at an instant that the user picks, and its week around that instant. */
export async function previewGate(reader: Reader, config: Config, { at }: Body): Promise<Preview> {
  try {
    // The sentence for callers is in the language of the server, as in a message.
    return await decided(reader, config, at, shared(reader.server, "language"));
  } catch (error) {
    throw error instanceof NoSchedule ? error.why : error;
  }
}

/** Calendars are not fetched for a preview: those that deployed nodes name are at hand, and the one that was just tried. */
const SOURCES: Host = {
  ...NO_SOURCES,
  calendar: (address) => ({
    read: async () => knownCalendar(address)?.value?.text,
    label: address.host,
  }),
};

async function decided(reader: Reader, config: Config, at: unknown, language: string): Promise<Preview> {
  const { pairs } = gateSettings(config);
  const trigger = config["type"] === "business-hour-trigger" ? triggerSettings(config) : undefined;
  // It takes precedence over the schedule for every message.
  const { override } = await optionReader(pairs, NO_SOURCES).standing({});
  if (override === "open" || override === "closed")
    return { lines: [{ text: reader.text(`preview.${override}ByHand`) }] };
  const isOfEnvironment =
    (isGiven(pairs["timezone"]) && pairs["timezoneType"] === "env") ||
    (pairs["exceptionsType"] === "url" && hasVariable(pairs["exceptions"]));
  if (isOfEnvironment) return { lines: [{ text: reader.text("preview.byEnvironment") }] };
  const id = String(config["tenant"] ?? "");
  const missing = () => notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
  const tenant = id === "" ? unusable(id, missing()) : tenantOf(id);
  // Without a schedule there is nothing to show, whichever `onUnknown` the gate has.
  const gate = await Gate.open(trigger?.gate ?? { ...config, onUnknown: "error" }, tenant, SOURCES, language);
  const { hours } = gate;
  const isFixed = ["dialog", "address"].includes(hours.inputs.origin);
  const fixed = isFixed ? await Promise.resolve(hours.inputs.read()).catch(() => undefined) : undefined;
  const zone = isGiven(pairs["timezone"]) ? [] : serverZone(reader, gate.serverZone?.name);
  if (!fixed) return { lines: [{ text: reader.text("preview.byMessage") }, ...zone] };
  const instant = isGiven(at) ? toLocalInstant(at, "at", fixed.zone) : undefined;
  const from = instant ?? Date.now();
  const decision = await gate.decide({ ...fixed, at: instant, override: undefined });
  const { businessHour, schedule, exceptions, zone: ofHours } = decision;
  const { open, sentence, checkedAt } = businessHour;
  const skipped = schedule?.skipped?.length ?? 0;
  const leftOut = exceptions.icalendar?.leftOut.count ?? 0;
  return {
    lines: [
      { text: verdictText(reader, businessHour, skipped, leftOut), kind: open ? "open" : "closed" },
      ...(trigger ? nextMessages(reader, hours, decision, trigger, from) : []),
      { at: "sentence", text: sentence },
      ...zone,
    ],
    week: {
      days: schedule?.days,
      moment: minutesOfWeek(checkedAt),
      specials: specialWeek(exceptions, ofHours, from),
    },
  };
}

function verdictText(reader: Reader, businessHour: BusinessHour, skipped: number, leftOut: number): string {
  const { open, reason, closesAt, opensAt, checkedAt, timezone, stale, incomplete, name, exception } = businessHour;
  const edge = open ? closesAt : opensAt;
  return joined(reader.text, "pattern.beside", [
    reader.text(`preview.${open ? "open" : "closed"}${edge ? "Until" : ""}`, {
      at: reader.moment(checkedAt),
      edge: edge === null ? "" : reader.moment(edge, checkedAt),
    }),
    exception === null
      ? reader.text(`preview.reason.${reason}` as "preview.reason.hours", { name: name ?? "" })
      : reader.text("preview.exceptionNamed", { exception }),
    timezone,
    ...(skipped > 0 ? [reader.text("preview.skipped", { count: skipped })] : []),
    ...(stale ? [reader.text("preview.stale")] : []),
    ...(incomplete && leftOut > 0 ? [reader.text("status.eventsLeftOut", { count: leftOut })] : []),
    ...(incomplete && leftOut === 0 ? [reader.text("status.noHolidays")] : []),
  ]);
}

/** Warns if the typed hours would be read in the zone of a server elsewhere. */
function serverZone(reader: Reader, zone: string | undefined): Line[] {
  if (zone === undefined || isSameZone(zone, reader.zone)) return [];
  return [{ at: "zone", text: reader.text("preview.serverZone", { zone, browser: reader.zone }) }];
}

function minutesOfWeek(instant: string): number {
  const wall = new Date(wallOf(instant));
  return (((wall.getUTCDay() + 6) % 7) * 24 + wall.getUTCHours()) * 60 + wall.getUTCMinutes();
}

/** The time ahead in which the next messages of a trigger are looked for, and the number that is shown. */
const AHEAD_MS = 8 * DAY_MS;
const SHOWN = 3;

function nextMessages(
  reader: Reader,
  hours: Hours,
  decision: Decision,
  { offsets }: TriggerSettings,
  from: number,
): Line[] {
  const next = hours.edges(from, from + AHEAD_MS, offsets, decision).slice(0, SHOWN);
  const events = next.map(({ opens, at }) =>
    reader.text(`preview.${opens ? "opening" : "closing"}`, {
      at: reader.moment(formatInstant(at, decision.zone), decision.businessHour.checkedAt),
    }),
  );
  if (events.length === 0) return [];
  return [{ at: "next", text: reader.text("preview.next", { events: joined(reader.text, "pattern.beside", events) }) }];
}
