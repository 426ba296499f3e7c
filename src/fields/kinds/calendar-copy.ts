import { createHash } from "node:crypto";

/** The last good copy of a calendar, as it is kept on disk: JSON. */
export interface CalendarCopy {
  /** The time at which it was fetched, ISO 8601. */
  readonly fetchedAt: string;
  /** The iCalendar text. */
  readonly text: string;
}

/** The name of the file in the folder `telephony` of the user folder. The address may be secret, so only its hash is there. */
export function calendarCopyName(address: URL): string {
  return `calendar-${createHash("sha256").update(address.href).digest("hex").slice(0, 32)}.json`;
}

/** The copy in a file. Throws if it is none. */
export function parseCalendarCopy(content: string): CalendarCopy {
  const { fetchedAt, text } = JSON.parse(content) as Partial<CalendarCopy>;
  if (typeof text !== "string" || typeof fetchedAt !== "string" || Number.isNaN(Date.parse(fetchedAt)))
    throw new Error("not a copy of a calendar");
  return { fetchedAt, text };
}
