import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CalendarCopy, calendarCopyName, parseCalendarCopy } from "../../../fields/kinds/calendar-copy";
import { replaceFile } from "../../node-red/replace-file";

/** The copy of a calendar from an earlier run; `undefined` if there is none, or if it is damaged. Never rejects. */
export async function readCopy(folder: string, address: URL): Promise<CalendarCopy | undefined> {
  try {
    return parseCalendarCopy(await readFile(join(folder, calendarCopyName(address)), "utf8"));
  } catch {
    return undefined;
  }
}

/** Rejects with the error of the file system. */
export function writeCopy(folder: string, address: URL, copy: CalendarCopy): Promise<void> {
  return replaceFile(join(folder, calendarCopyName(address)), JSON.stringify(copy));
}
