import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Progress } from "../../backlog/redis/membership";
import { replaceFile } from "../../json/replace-file";
import { attempt } from "../../json/rules";
import { fileNameOf } from "../delivery/unfinished-file";

/** Written at most this often, because each call changes it. Milliseconds. */
const PAUSE_MS = 1000;

/** The progress of a group, in the user folder. A Redis that was restored from an older copy is not noticed where that cannot be written. */
export function progressFile(folder: string, tenant: string, prefix: readonly string[]): Progress {
  const group = createHash("sha256").update(JSON.stringify(prefix)).digest("hex").slice(0, 12);
  const file = join(folder, `${fileNameOf(tenant)}-${group}.progress`);
  let [written, pauseEnd] = [existsSync(file) ? Number(readFileSync(file, "utf8")) || 0 : 0, -Infinity];
  return {
    known: written,
    seen: (progress, isLast) => {
      if (progress === written || (!isLast && performance.now() < pauseEnd)) return;
      [written, pauseEnd] = [progress, performance.now() + PAUSE_MS];
      // The next change is tried again.
      attempt(() => replaceFile(file, String(progress), { flush: false }));
    },
  };
}
