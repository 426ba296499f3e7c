import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { download } from "../../client/transport/download";
import { type CalendarCopy, calendarCopyName, parseCalendarCopy } from "../../fields/kinds/calendar-copy";
import { replaceFile } from "../../json/replace-file";
import { flows } from "../delivery/flow-lifecycle";
import { telephonyFolder } from "../delivery/unfinished-file";
import { logText, shared } from "../node-red/catalogue";
import { perNode } from "../node-red/node-state";
import { proxyFor } from "../node-red/proxy";
import { Calendar } from "./calendar";

/** As much as iCalendar text may have. */
const LARGEST = 5 * 1024 * 1024;
const LIMIT_MS = 30_000;

/** By address. */
const calendars = perNode<Calendar>("calendar");

/** The calendar at an address, which all nodes share. */
export function calendarAt(RED: NodeAPI, address: URL): Calendar {
  return calendars.of(address.href, () => {
    const folder = telephonyFolder(RED);
    const calendar: Calendar = new Calendar({
      fetch: () =>
        download(address, { largest: LARGEST, limitMs: LIMIT_MS, proxyFor: (peer) => proxyFor(RED, "", peer) }),
      readCopy: async () => (folder === undefined ? undefined : readCopy(folder, address)),
      writeCopy: async (copy) => {
        if (folder !== undefined && calendar.isFollowed)
          await writeCopy(folder, address, copy).catch((error: Error) =>
            logText(RED, "warn", "log.calendarCopy", { server: address.host, reason: error.message }),
          );
      },
      ready: () => flows.untilRunning(),
      label(problem) {
        if (!problem) return address.host;
        const text = shared(RED, `status.${problem.key}`, problem.params);
        return shared(RED, "pattern.named", { name: address.host, text });
      },
    });
    return calendar;
  });
}

/** The copy of a calendar from an earlier run; `undefined` if there is none, or if it is damaged. Never rejects. */
export async function readCopy(folder: string, address: URL): Promise<CalendarCopy | undefined> {
  try {
    return parseCalendarCopy(await readFile(join(folder, calendarCopyName(address)), "utf8"));
  } catch {
    return undefined;
  }
}

/** Rejects with the error of the file system. A copy that a power failure has damaged is fetched again. */
export async function writeCopy(folder: string, address: URL, copy: CalendarCopy): Promise<void> {
  replaceFile(join(folder, calendarCopyName(address)), JSON.stringify(copy), { flush: false });
}

/** The calendar at an address, if a node names it or a dialog has tried it. */
export function knownCalendar(address: URL): Calendar | undefined {
  return calendars.get(address.href);
}

export function forgetUnfollowed(): void {
  for (const [address, calendar] of calendars) if (!calendar.isFollowed) calendars.delete(address);
}
