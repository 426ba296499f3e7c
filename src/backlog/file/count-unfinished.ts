import { open } from "node:fs/promises";
import { Contents } from "./contents";
import { Lock, LockedError } from "./lock";
import { read } from "./reading";

/**
 * Counts the entries of a journal that nobody uses which wait, or had begun when its process ended, or the records that go on, if
 * these are more: their entries may be among those. Neither changes nor claims it: opening it would hide how long they have waited,
 * and a deploy may open it meanwhile. Rejects with `LockedError` if a process uses it, else with the error of the file system.
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
