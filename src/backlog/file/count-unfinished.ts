import { open } from "node:fs/promises";
import { Contents } from "./contents";
import { Lock, LockedError } from "./lock";
import { read } from "./reading";

/**
 * Counts the entries of an unused journal that still wait, or were in flight when their process ended. If there are more records
 * than such entries, counts the records: their entries may be among them. Only reads the journal: opening it would hide how long
 * the entries have waited, and a claim would get in the way of a deploy. Rejects with `LockedError` if a process uses the journal,
 * else with the error of the file system.
 */
export async function countUnfinished(path: string): Promise<number> {
  if (await Lock.isHeld(path)) throw new LockedError(`${path} is in use`);
  const file = await open(path, "r");
  try {
    const contents = new Contents();
    contents.read((await read(file)).records);
    const unfinished = [...contents.entries.values()].filter(({ state }) => state === "waiting" || state === "begun");
    return Math.max(unfinished.length, contents.values.size);
  } finally {
    await file.close();
  }
}
