import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { attempt } from "../../json/rules";
import { type Event, HEAD_BYTES, type Head, isEvent, isHead, MAX_EVENT_BYTES } from "./events";
import type { RehearsalOptions } from "./options";

/**
 * The boundary of a rehearsal. A rehearsed flow may have mistakes, or be copied from anywhere: it runs in a process of its own, the
 * child, has no effect outside of it, and does no harm to the Node-RED or the command that watches it, the parent. Whoever may
 * rehearse may also deploy, so this is no wall against a thief.
 *
 * - *In* go the flows, the world and the plan of the inputs. No credential does: `variables.ts` puts a stand-in in its place, and the
 *   flows of an editor come without any. The environment that starts the child is empty but for what Node.js needs; what the
 *   world gives is set once the child is confined (`child/main.ts`), when no library can be loaded by it any more.
 * - *Readable* are Node-RED, the code of this package, what is installed in the user folder, and the folder of the rehearsal. Only its folder `user`
 *   can be written to. Node's permission model keeps this, and forbids workers, addons and the inspector.
 * - *Nothing else is reached:* `child/confine.ts` closes what the permission model leaves open, the network and processes.
 * - *Out* come events, one line of JSON each, in a file that the flow can write to as well (descriptor 3). So each is checked as
 *   foreign JSON, and their number and size are bounded. Before them stands the instant that was reached, written over and over.
 * - *Its cost* is bounded here: real time, memory, bytes in its folder. The system bounds what must hold without a parent, too:
 *   processor time, the size of a file, no core dump. On Windows, where there is no `ulimit`, the parent alone bounds it.
 * - *Afterwards* its folder is removed, and what a killed parent has left by the next rehearsal or Node-RED.
 */

const MEMORY_BYTES = 512 * 2 ** 20;
const MAX_FOLDER_BYTES = 128 * 2 ** 20;
const MAX_FILE_BYTES = 64 * 2 ** 20;
/** Of events: below the size of a file, so that the parent finds the excess before the child cannot write. */
const MAX_BYTES = 64_000_000;
const MAX_EVENTS = 200_000;
/** A file takes at least this much. */
const BLOCK_BYTES = 4096;
/** The mode of a folder that its owner may list, write to and enter. */
const OWNERS = 0o700;
/** Interval at which the parent looks at the child. Milliseconds. */
const LOOK_MS = 100;
const FOLDER = "telephony-rehearsal-";
const MAIN = join(__dirname, "child", "main.js");

interface Confined extends Pick<RehearsalOptions, "signal" | "pid"> {
  /** A folder with `plan.json` and the folder `user`, the only one that is written to. */
  readonly folder: string;
  /** Files and folders that the child may read, besides its own. */
  readonly readable: readonly string[];
  readonly seed: number;
  /** Seconds of real time. */
  readonly limit: number;
  readonly onEvent: (event: Event) => void;
  /** Called when the child has come to another virtual instant, or works on. */
  readonly onProgress: (head: Head) => void;
}

export interface Ended {
  readonly by: "itself" | "limit" | "memory" | "signal" | "system" | "folder" | "too many events" | "foreign event";
  readonly code: number | null;
  readonly stderrTail: string;
}

export function makeFolder(): string {
  return mkdtempSync(join(realpathSync(tmpdir()), `${FOLDER}${process.pid}-`));
}

/** Removes the folders of rehearsals whose parent was killed. Never rejects. */
export async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(FOLDER)) continue;
    const folder = join(tmpdir(), name);
    const pid = Number.parseInt(name.slice(FOLDER.length), 10);
    const found = await lstat(folder).catch(() => undefined);
    // A link that somebody has given such a name leads elsewhere.
    if (!found?.isDirectory()) continue;
    // In a container, each start may have the same id.
    const isLeft = pid === process.pid ? found.mtimeMs < performance.timeOrigin : !isRunning(pid);
    if (isLeft) await remove(folder);
  }
}

/** Removes the folder of a rehearsal, also what the flow has locked in it. Never rejects. */
export async function remove(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  bytesIn(folder, Infinity);
  // The synchronous one also removes what is nested deeper than a path can say.
  await rm(folder, options).catch(() => attempt(() => rmSync(folder, options)));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Returns what the code in a folder may load: the folder, and every `node_modules` in which `require` looks for its dependencies. */
export function loadableFrom(folder: string): string[] {
  const paths = createRequire(join(folder, "package.json")).resolve.paths("any") ?? [];
  return [folder, ...paths.filter((path) => basename(path) === "node_modules")];
}

/** Runs a plan in a process of its own. */
export function runConfined(options: Confined): Promise<Ended> {
  const { folder, limit, signal, pid } = options;
  const file = join(folder, "events.jsonl");
  const [written, events] = [openSync(file, "wx", 0o600), openSync(file, "r")];
  writeSync(written, " ".repeat(HEAD_BYTES));
  return new Promise((resolve, reject) => {
    const [command = "", ...args] = startOf(options);
    const stdio = ["ignore", "ignore", "pipe", written] as const;
    const child = spawn(command, args, {
      cwd: join(folder, "user"),
      env: environment(folder),
      stdio: [...stdio],
      windowsHide: true,
    });
    pid?.fill(child.pid ?? 0);
    child.once("exit", () => pid?.fill(0));
    let by: Ended["by"] | undefined;
    let stderrTail = "";
    const kill = (reason: Ended["by"] | undefined) => {
      if (reason === undefined) return;
      by ??= reason;
      child.kill("SIGKILL");
    };
    const stop = () => kill("signal");
    const timer = setTimeout(kill, limit * 1000, "limit");
    const read = follow(events, options);
    const readOn = () => {
      try {
        if (by === undefined) kill(read());
      } catch (error) {
        reject(error);
        stop();
      }
    };
    const count = () => {
      if (bytesIn(folder) + bytesRemoved(child.pid) <= MAX_FOLDER_BYTES) return;
      // It may have left meanwhile.
      if (by === "itself") by = "folder";
      kill("folder");
    };
    const look = setInterval(() => {
      readOn();
      if (bytesOf(child.pid) > MEMORY_BYTES) kill("memory");
      count();
    }, LOOK_MS);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    child.stderr?.on("data", (chunk: Buffer) => {
      stderrTail = (stderrTail + chunk.toString()).slice(-4096);
    });
    child.on("error", (error) => {
      stderrTail = error.message;
    });
    const end = (code: number | null, killedBy: NodeJS.Signals | null) => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener("abort", stop);
      closeSync(written);
      readOn();
      closeSync(events);
      count();
      if (killedBy === "SIGKILL") kill("system");
      const isOutOfMemory = /heap out of memory|Array buffer allocation failed|RangeError: memory/.test(stderrTail);
      resolve({ by: isOutOfMemory ? "memory" : (by ?? "itself"), code, stderrTail });
    };
    child.on("close", end);
  });
}

/** Returns a function that reads on in the file of events: until the process leaves, a line is no event, or there are too many. */
function follow(
  file: number,
  { folder, onEvent, onProgress }: Confined,
): () => "itself" | "too many events" | "foreign event" | undefined {
  const [head, buffer] = [Buffer.alloc(HEAD_BYTES), Buffer.alloc(2 ** 20)];
  let [bytesRead, count, lastHead] = [HEAD_BYTES, 0, ""];
  let rest = Buffer.alloc(0);
  return () => {
    readSync(file, head, 0, HEAD_BYTES, 0);
    const text = head.toString();
    const written = text === lastHead ? undefined : attempt((): unknown => JSON.parse(text));
    if (isHead(written)) onProgress(written);
    lastHead = text;
    for (let bytes = 1; bytes > 0; ) {
      bytes = readSync(file, buffer, 0, buffer.length, bytesRead);
      bytesRead += bytes;
      rest = Buffer.concat([rest, buffer.subarray(0, bytes)]);
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
        const line = withoutFolders(rest.toString("utf8", 0, end), folder);
        const event = end > MAX_EVENT_BYTES ? undefined : attempt((): unknown => JSON.parse(line));
        if (!isEvent(event)) return "foreign event";
        count += 1;
        if (count > MAX_EVENTS) return "too many events";
        onEvent(event);
        if (event.kind === "exit") return "itself";
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MAX_EVENT_BYTES) return "foreign event";
      if (bytesRead > MAX_BYTES) return "too many events";
    }
    return undefined;
  };
}

/** The same options give the same bytes on any machine: a report shows neither the folder of its rehearsal nor a home folder. */
function withoutFolders(line: string, folder: string): string {
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  const shown = line.replaceAll(inJson(folder), "/rehearsal");
  const home = join(homedir(), sep);
  // In some containers, the root is the home.
  if (dirname(home) === home) return shown;
  const isInAddress = (at: number) => /(?:^|[^\\])[\w.-]$/.test(shown.slice(Math.max(0, at - 2), at));
  return shown.replaceAll(inJson(home), (found, at: number) => (isInAddress(at) ? found : inJson(`~${sep}`)));
}

/** The command that starts the child: through a shell where there is one, since its bounds go with the process that it becomes. */
function startOf({ folder, readable, seed, limit }: Confined): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  // A link, and what it leads to. Node 20 loses sight of a folder when one in it is named, too.
  const named = readable.filter(existsSync).flatMap((path) => [path, realpathSync(path)]);
  // Not the folder itself: a path that leaves a link in it by ".." would count as one in the folder.
  const own = ["plan.json", "user", "core", "nodes", "node_modules"].map((name) => join(folder, name));
  const reached = [...own, ...new Set(named)].filter((path) => !named.some((other) => path.startsWith(other + sep)));
  const node = [
    process.execPath,
    known.has("--permission") ? "--permission" : "--experimental-permission",
    ...reached.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${join(folder, "user")}`,
    ...(known.has("--allow-net") ? ["--allow-net"] : []),
    // What is left is for buffers, code and Node itself.
    `--max-old-space-size=${Math.round((MEMORY_BYTES / 2 ** 20) * 0.86)}`,
    "--max-semi-space-size=8",
    `--random-seed=${(seed % 0x7fffffff) + 1}`,
    "--no-warnings",
    MAIN,
    join(folder, "plan.json"),
  ];
  if (process.platform === "win32" || !existsSync("/bin/sh")) return node;
  // Threads of Node itself take processor time, too.
  const bounds = `ulimit -c 0; ulimit -t ${Math.ceil(limit * 1.5) + 5}; ulimit -f ${MAX_FILE_BYTES / 512}`;
  return ["/bin/sh", "-c", `{ ${bounds}; } 2>/dev/null; unset PWD; exec "$@"`, "sh", ...node];
}

/** The environment of the child. With one thread in the pool, what runs there ends in the same order each time. */
function environment(folder: string): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  const home = join(folder, "user");
  return { ...(SystemRoot && { SystemRoot }), HOME: home, TMPDIR: home, UV_THREADPOOL_SIZE: "1" };
}

/** The memory of a process without what it shares with others, such as Node's own code; 0 where the system does not tell. */
function bytesOf(pid: number | undefined): number {
  const [, resident = 0, shared = 0] = attempt(() => readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")) ?? [];
  return (Number(resident) - Number(shared)) * 4096;
}

/** The bytes of files that a process has removed and still writes to; 0 where the system does not tell. */
function bytesRemoved(pid: number | undefined): number {
  const open = `/proc/${pid}/fd`;
  const files = (attempt(() => readdirSync(open)) ?? []).map((file) => attempt(() => statSync(join(open, file))));
  return files.reduce((sum, file) => sum + (file?.nlink === 0 ? file.size : 0), 0);
}

/**
 * The bytes of a folder, counted no further than over `most`. What is removed meanwhile counts as nothing. Locked folders are opened.
 * Synchronous: the promises for each file took twice as long.
 */
function bytesIn(folder: string, most = MAX_FOLDER_BYTES): number {
  let bytes = 0;
  for (const entry of attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    const { size = 0, mode = OWNERS } = attempt(() => lstatSync(path)) ?? {};
    bytes += Math.max(size, BLOCK_BYTES);
    if (entry.isDirectory()) {
      if ((mode & OWNERS) !== OWNERS) attempt(() => chmodSync(path, OWNERS));
      bytes += bytesIn(path, most - bytes);
    }
    if (bytes > most) break;
  }
  return bytes;
}
