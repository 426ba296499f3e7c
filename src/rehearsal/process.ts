import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Event } from "./plan";
import type { RehearsalOptions } from "./rehearsal";

/** Interval at which events are read and the memory of the process is checked. Milliseconds. */
const LOOK_MS = 100;
const MIB = 2 ** 20;
const MAIN = join(__dirname, "child", "main.js");

interface ProcessOptions extends Pick<RehearsalOptions, "signal"> {
  /** A folder with `plan.json` and the folder `user`, the only one that is written to. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seed: number;
  /** MiB. */
  readonly memory: number;
  /** Seconds. */
  readonly limit: number;
  readonly onEvent: (event: Event) => void;
}

/** How the process of a rehearsal ended. */
export interface Ended {
  readonly by: "itself" | "limit" | "memory" | "signal";
  readonly code: number | null;
  /** What it wrote last to its standard error. */
  readonly lastWords: string;
}

/** Runs a plan in a process of its own, which can do nothing outside of its folder. */
export function runProcess(options: ProcessOptions): Promise<Ended> {
  const { folder, memory, limit, signal, onEvent } = options;
  const file = join(folder, "events.jsonl");
  const [written, events] = [openSync(file, "ax", 0o600), openSync(file, "r")];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags(options), MAIN, join(folder, "plan.json")], {
      cwd: join(folder, "user"),
      env: environment(options),
      stdio: ["ignore", "ignore", "pipe", written],
      windowsHide: true,
    });
    let by: Ended["by"] = "itself";
    let lastWords = "";
    const kill = (reason: Ended["by"]) => {
      by = reason;
      child.kill("SIGKILL");
    };
    const stop = () => kill("signal");
    const timer = setTimeout(kill, limit * 1000, "limit");
    const read = follow(events, (line) => onEvent(JSON.parse(line)));
    const look = setInterval(() => {
      read();
      if (bytesOf(child.pid) > memory * MIB) kill("memory");
    }, LOOK_MS);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    child.stderr?.on("data", (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-4096);
    });
    child.on("error", (error) => {
      lastWords = error.message;
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener("abort", stop);
      closeSync(written);
      read();
      closeSync(events);
      const isOutOfMemory = /heap out of memory|Array buffer allocation failed|RangeError: memory/.test(lastWords);
      resolve({ by: isOutOfMemory ? "memory" : by, code, lastWords });
    });
  });
}

/** Returns a function that reads on in a file that grows, and takes each line that is complete. */
function follow(file: number, take: (line: string) => void): () => void {
  const buffer = Buffer.alloc(1024 * 1024);
  const decoder = new StringDecoder();
  let rest = "";
  return () => {
    for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer)) {
      const lines = (rest + decoder.write(buffer.subarray(0, bytes))).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
    }
  };
}

function flags({ folder, seed, memory }: ProcessOptions): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    known.has("--permission") ? "--permission" : "--experimental-permission",
    "--allow-fs-read=*",
    `--allow-fs-write=${join(folder, "user")}`,
    ...(known.has("--allow-net") ? ["--allow-net"] : []),
    // What is left is for buffers, code and Node itself.
    `--max-old-space-size=${Math.round(memory * 0.86)}`,
    "--max-semi-space-size=8",
    `--random-seed=${(seed % 0x7fffffff) + 1}`,
    "--no-warnings",
  ];
}

/** What Node needs, and what the world gives. */
function environment({ folder, env }: ProcessOptions): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  const home = join(folder, "user");
  const given = Object.entries(env).filter(([name]) => !/^(NODE_|LD_|DYLD_)/i.test(name));
  return { ...(SystemRoot && { SystemRoot }), HOME: home, TMPDIR: home, ...Object.fromEntries(given) };
}

/** The memory of a process without what it shares with others, such as Node's own code; 0 where the system does not tell. */
function bytesOf(pid: number | undefined): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return (Number(resident) - Number(shared)) * 4096;
  } catch {
    return 0;
  }
}
