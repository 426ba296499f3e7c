import type { NodeAPI } from "node-red";
import { notSent } from "../../client";
import { any, type Config, type Host, isGiven, reader, toLocalInstant } from "../../fields";
import { type DayOfWeek, edges, formatInstant, type Schedule, specialWeek } from "../../hours";
import { DAY_MS } from "../../hours/dates";
import { shared } from "../../runtime/node-red/catalogue";
import { NO_SOURCES } from "../../runtime/node-red/host";
import { NoSchedule } from "../../runtime/node-red/no-schedule";
import { type BusinessHour, Gate } from "../../runtime/nodes/gate/gate";
import type { GateInputs } from "../../runtime/nodes/gate/inputs";
import { gateSettings, originOf } from "../../runtime/nodes/gate/settings";
import { type TriggerSettings, triggerSettings } from "../../runtime/nodes/trigger/settings";
import { knownCalendar } from "../../runtime/schedules/calendars/calendar-follower";
import { unusable } from "../../runtime/tenants/chosen-tenant";
import { tenantOf } from "../../runtime/tenants/tenants";
import { type Body, HttpError, isRecord } from "./http";

/** What a gate decides at an instant, and its week around that instant. */
export interface PreviewedVerdict extends BusinessHour {
  readonly days: Schedule["days"] | undefined;
  /** Entries of the schedule that cannot be read. */
  readonly skipped: number;
  /** Events of its calendar that cannot be read. */
  readonly leftOut: number;
  /** The exceptions in the week of the instant. */
  readonly specials: readonly DayOfWeek[];
  /** The next messages of a trigger. */
  readonly next?: readonly { readonly opens: boolean; readonly at: string }[];
}

/** The server's zone, if it is used because no other is given. */
interface ServerZone {
  readonly serverZone: string | undefined;
}

type Previewed =
  | { readonly byHand: "open" | "closed" }
  | { readonly byEnvironment: true }
  | ({ readonly byMessage: true } & ServerZone)
  | (PreviewedVerdict & ServerZone);

export type GatePreview = { readonly ok: true } & Previewed;

/** Answers with the decision of a gate or a trigger, now or at an instant that the user picks. */
export async function previewGate(RED: NodeAPI, { config, at }: Body): Promise<GatePreview> {
  if (!isRecord(config)) throw new HttpError(400);
  try {
    return { ok: true, ...(await preview(config, at, shared(RED, "language"))) };
  } catch (error) {
    throw error instanceof NoSchedule ? error.why : error;
  }
}

/** Calendars are not fetched for a preview: those that deployed nodes name are at hand, and the one that was just tried. */
const SOURCES: Host = {
  ...NO_SOURCES,
  calendar: (address) => ({
    read: async () => knownCalendar(address)?.copy?.text,
    label: address.host,
  }),
};

async function preview(config: Config, at: unknown, language: string): Promise<Previewed> {
  const { pairs } = gateSettings(config);
  const trigger = config["type"] === "business-hour-trigger" ? triggerSettings(config) : undefined;
  const byHand = await fixedOverride(pairs);
  if (byHand) return { byHand };
  if (isGiven(pairs["timezone"]) && pairs["timezoneType"] === "env") return { byEnvironment: true };
  if (pairs["exceptionsType"] === "url" && String(pairs["exceptions"]).includes("${")) return { byEnvironment: true };
  const id = String(config["tenant"] ?? "");
  const missing = () => notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
  const tenant = id === "" ? unusable(id, missing()) : tenantOf(id);
  // Without a schedule there is nothing to show, whichever `onUnknown` the gate has.
  const gate = await Gate.open(trigger?.gate ?? { ...config, onUnknown: "error" }, tenant, SOURCES, language);
  const isFixed = ["dialog", "address"].includes(gate.inputs.origin);
  const fixed = isFixed ? await gate.inputs.readInputs().catch(() => undefined) : undefined;
  const serverZone = isGiven(pairs["timezone"]) ? undefined : gate.serverZone?.name;
  if (!fixed) return { byMessage: true, serverZone };
  const instant = isGiven(at) ? toLocalInstant(at, "at", fixed.zone) : undefined;
  const from = instant ?? Date.now();
  const { businessHour, schedule } = await gate.decide({ ...fixed, at: instant, override: undefined });
  return {
    ...businessHour,
    days: schedule?.days,
    skipped: schedule?.skipped?.length ?? 0,
    leftOut: fixed.exceptions.icalendar?.leftOut.count ?? 0,
    serverZone,
    ...(trigger && schedule && { next: nextMessages(schedule, fixed, trigger, from) }),
    specials: specialWeek(fixed.exceptions, fixed.zone, from),
  };
}

/** How far ahead the next messages of a trigger are looked for, and how many are shown. */
const AHEAD_MS = 8 * DAY_MS;
const SHOWN = 3;

function nextMessages(
  schedule: Schedule,
  { exceptions, zone }: GateInputs,
  { offsets }: TriggerSettings,
  from: number,
) {
  const next = edges(schedule, exceptions, zone, offsets)(from, from + AHEAD_MS).slice(0, SHOWN);
  return next.map(({ opens, at }) => ({ opens, at: formatInstant(at, zone) }));
}

/** An override in the dialog, which takes precedence over the schedule for every message. */
async function fixedOverride(pairs: Config): Promise<"open" | "closed" | undefined> {
  if (originOf(pairs, "override") !== "dialog") return undefined;
  const { override } = await reader({ override: any() }, pairs, NO_SOURCES).read({});
  return override === "open" || override === "closed" ? override : undefined;
}
