import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CalendarCopy, calendarCopyName, parseCalendarCopy } from "../../../fields/kinds/calendar-copy";

/** The copy of a calendar from an earlier run; `undefined` if there is none, or if it is damaged. Never rejects. */
export async function readCopy(folder: string, address: URL): Promise<CalendarCopy | undefined> {
  try {
    return parseCalendarCopy(await readFile(join(folder, calendarCopyName(address)), "utf8"));
  } catch {
    return undefined;
  }
}

/** Replaces the copy of a calendar, in one step. Rejects with the error of the file system. */
export async function writeCopy(folder: string, address: URL, copy: CalendarCopy): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, calendarCopyName(address));
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(copy));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
