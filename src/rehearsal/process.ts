import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Event } from "./plan";

/** How often the memory of the process is looked at, milliseconds. */
const LOOK_MS = 100;
const MIB = 2 ** 20;

export interface ProcessOptions {
  /** A folder with `plan.json` and the folder `user`, the only one that is written to. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seed: number;
  /** MiB. */
  readonly memory: number;
  /** Seconds. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
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
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [...flags(options), join(__dirname, "child", "main.js"), join(folder, "plan.json")],
      {
        cwd: join(folder, "user"),
        env: environment(options),
        stdio: ["ignore", "ignore", "pipe", "pipe"],
        windowsHide: true,
      },
    );
    let by: Ended["by"] = "itself";
    let lastWords = "";
    const kill = (reason: Ended["by"]) => {
      by = reason;
      child.kill("SIGKILL");
    };
    const stop = () => kill("signal");
    const timer = setTimeout(kill, limit * 1000, "limit");
    const look = setInterval(() => {
      if (bytesOf(child.pid) > memory * MIB) kill("memory");
    }, LOOK_MS);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    child.stderr?.on("data", (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-4096);
    });
    const events = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
    events.on("line", (line) => onEvent(JSON.parse(line)));
    child.on("error", (error) => {
      lastWords = error.message;
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      clearInterval(look);
      signal?.removeEventListener("abort", stop);
      resolve({ by: isOutOfMemory(lastWords) ? "memory" : by, code, lastWords });
    });
  });
}

function flags({ folder, seed, memory }: ProcessOptions): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    known.has("--permission") ? "--permission" : "--experimental-permission",
    "--allow-fs-read=*",
    `--allow-fs-write=${join(folder, "user")}`,
    ...(known.has("--allow-net") ? ["--allow-net"] : []),
    `--max-old-space-size=${Math.round(memory * 0.75)}`,
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

/** The memory of a process, where the system tells. Elsewhere it looks itself. */
function bytesOf(pid: number | undefined): number {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return Number(pages) * 4096;
  } catch {
    return 0;
  }
}

function isOutOfMemory(lastWords: string): boolean {
  return /heap out of memory|Array buffer allocation failed|RangeError: memory/.test(lastWords);
}
