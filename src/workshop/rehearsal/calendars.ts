import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calendarAddress } from "../../fields/kinds/calendar-address";
import { type CalendarCopy, calendarCopyName, parseCalendarCopy } from "../../fields/kinds/calendar-copy";
import { attempt } from "../../json/rules";
import type { FlowNode } from "../lint/flow-node";
import type { RehearsalOptions } from "./options";
import type { Plan, Prepared } from "./prepare";

/** The folder of Node-RED's user folder in which this package keeps files. */
const FOLDER = "telephony";

/**
 * Puts the calendars that the flows name where a Node-RED without network finds them.
 * @returns what a person must know
 */
export function provideCalendars(user: string, prepared: Prepared, { world, userDir }: RehearsalOptions): string[] {
  const { plan } = prepared;
  const given = Object.entries(world?.calendars ?? {}).flatMap(([address, text]) => {
    const url = addressOf(address, plan.env);
    return url ? [[url.href, { text, fetchedAt: new Date(plan.from).toISOString() }] as const] : [];
  });
  const copies = new Map<string, CalendarCopy>(given);
  const notes = new Set<string>();
  for (const url of prepared.flows.flatMap((node) => addressesIn(node, plan.env))) {
    const name = join(FOLDER, calendarCopyName(url));
    const kept =
      userDir === undefined ? undefined : attempt(() => parseCalendarCopy(readFileSync(join(userDir, name), "utf8")));
    const copy = copies.get(url.href) ?? kept;
    // Path and query may be secret.
    const shown = `The calendar at ${url.host}`;
    if (!copy) notes.add(`${shown} is unknown: it is neither in the world nor in the user folder.`);
    else if (copy === kept) notes.add(`${shown} is the copy in the user folder, fetched at ${copy.fetchedAt}.`);
    if (!copy) continue;
    mkdirSync(join(user, FOLDER), { recursive: true, mode: 0o700 });
    writeFileSync(join(user, name), JSON.stringify(copy), { mode: 0o600 });
  }
  return [...notes];
}

function addressesIn(node: FlowNode, env: Plan["env"]): URL[] {
  const properties = ["exceptions", "callingExceptions"].filter((property) => node[`${property}Type`] === "url");
  return properties.flatMap((property) => addressOf(node[property], env) ?? []);
}

function addressOf(value: unknown, env: Plan["env"]): URL | undefined {
  return attempt(() => calendarAddress(value, "", (name) => env[name]));
}
