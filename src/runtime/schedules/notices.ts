import type { NodeAPI } from "node-red";
import { maskNumbers, oneLine, shownParams } from "../../fields";
import { daysMarkedFree, readHostZone, type Schedule } from "../../hours";
import { joined } from "../../texts/catalogue";
import { logText, serverTexts, shared } from "../node-red/catalogue";
import { perNode } from "../node-red/node-state";
import { swallowErrors } from "../node-red/swallow-errors";
import type { Inputs } from "./inputs";
import { resolvedInSlices } from "./read-in-slices";

/** The lines that were logged already, for any node. */
const logged = perNode<true>("logged once");

/** The service chooses some of the lines, and they must not fill the memory. */
const MOST_LOGGED = 1000;

function once(what: string, log: (what: string) => void): void {
  if (logged.has(what)) return;
  if (logged.size >= MOST_LOGGED) logged.clear();
  logged.set(what, true);
  swallowErrors(() => log(what));
}

/** Most days that a log line names. */
const MOST_DAYS = 20;

/** Reports what is to be known of inputs that are used from now on: each thing once. Never throws. */
export function reporter(RED: NodeAPI, warn: (text: string) => void): (given: Inputs) => void {
  let last: Partial<Inputs> = {};
  return (given) => {
    const before = last;
    last = given;
    const source = given.missing;
    if (source !== undefined && before.missing === undefined)
      swallowErrors(() => warn(shared(RED, "log.noHolidays", { source })));
    if (given.exceptions === before.exceptions) return;
    const { count = 1, first } = given.exceptions.icalendar?.leftOut ?? {};
    const reason = first && shared(RED, `errors.${first.key}`, { ...shownParams(first), field: "exceptions" });
    if (reason !== undefined) swallowErrors(() => warn(shared(RED, "log.eventsLeftOut", { count, reason })));
    void logDaysMarkedFree(RED, given);
  };
}

/** Warns once if TZ names no zone. Returns whether the zone of the server is unknown, so that UTC is used. Never throws. */
export function warnOfHostZone(RED: NodeAPI): boolean {
  const { name, unnamed } = readHostZone();
  if (unnamed === undefined) return false;
  once(oneLine(unnamed), (value) => logText(RED, "warn", "log.hostZone", { value, zone: name }));
  return name === "UTC";
}

/** Logs once which days to come are closed only because all-day events count where they are marked as free. Never rejects. */
async function logDaysMarkedFree(RED: NodeAPI, given: Inputs): Promise<void> {
  const now = Date.now();
  await resolvedInSlices(given, now);
  const closed = daysMarkedFree(given.exceptions, given.zone, now);
  if (closed.length === 0) return;
  const named = closed.slice(0, MOST_DAYS).map(({ date, name }) => (name === null ? date : `${date} ${name}`));
  if (closed.length > MOST_DAYS) named.push("…");
  const days = joined(serverTexts(RED), "pattern.also", named);
  once(maskNumbers(oneLine(days)), (days) => logText(RED, "info", "log.closedThoughFree", { days }));
}

/** Warns once which entries of a tenant's schedule cannot be read, and why the first one cannot. Never throws. */
export function warnOfSkipped(RED: NodeAPI, tenant: string, { name, id, skipped = [] }: Schedule): void {
  const [first] = skipped;
  const params = {
    schedule: maskNumbers(oneLine(name ?? String(id ?? ""))),
    tenant: oneLine(tenant),
    count: skipped.length,
    reason: first ? shared(RED, `errors.${first.key}`, shownParams(first)) : "",
  };
  once(JSON.stringify(params), () => logText(RED, "warn", "log.skippedEntries", params));
}
