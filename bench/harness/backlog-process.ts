import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { Backlog, Run } from "../../src/backlog";
import { received, start, stop } from "./child";
import { closedLoop, type Load, type Sample } from "./closed-loop";
import { type Engine, entryOf, openEngine } from "./engine";
import { type Latency, latencyOf } from "./rounds";

/** How many jobs a process accepts without doing anything else. */
const AT_ONCE = 100;

/** How long something took, and the longest time in which the process did nothing else. Milliseconds. */
export interface Taken {
  readonly ms: number;
  readonly block: number;
}

/** What the benchmark asks a process with a backlog to do. */
interface Commands {
  /** Opens the engine, and serves it. With `rate`, jobs start at that rate. */
  open(options: { engine: Engine; rate?: number; places?: number }): Promise<Taken>;
  /** Milliseconds from a message to the moment in which its request may leave, one message after the other. */
  firstByte(options: { count: number }): Promise<Latency>;
  /** Jobs from a message to its result. */
  loop(options: Load): Promise<Sample>;
  pause(options: object): Promise<void>;
  resume(options: object): Promise<void>;
  /** Accepts jobs. Resolves to bytes of memory a job as well. */
  fill(options: { count: number }): Promise<Taken & { readonly bytes: number }>;
  drop(options: object): Promise<Taken>;
  /** Starts since this was asked for last, milliseconds on a clock that all processes of the machine share. */
  starts(options: object): Promise<number[]>;
}

/** A process with a backlog. */
export class BacklogProcess {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<BacklogProcess> {
    const child = start(__filename);
    await received(child, "started");
    return new BacklogProcess(child);
  }

  run<Name extends keyof Commands>(name: Name, options: Parameters<Commands[Name]>[0]): ReturnType<Commands[Name]> {
    this.child.send({ name, options });
    return received(this.child, "result") as ReturnType<Commands[Name]>;
  }

  /** The process gets no chance to do anything. */
  kill(): Promise<void> {
    return stop(this.child);
  }
}

function serve(): void {
  let backlog: Backlog;
  let places = 0;
  const starts: number[] = [];
  const begun = new Map<string, () => void>();
  const ended = new Map<string, () => void>();

  /** As the client does it: asks for leave where the request would leave. */
  const leave = (run: Run) => {
    const at = run.acquireSendSlot();
    if (at !== undefined) {
      setTimeout(() => leave(run), Math.ceil(at - performance.now()));
      return;
    }
    starts.push(Number(process.hrtime.bigint()) / 1e6);
    begun.get(run.entry.id)?.();
    run.settle("applied", { ok: true });
    places += 1;
    backlog.dispatch();
  };

  const accept = async (id: string): Promise<void> => {
    const { kind } = await backlog.accept(entryOf(id));
    if (kind !== "accepted") throw new Error(`The backlog answered ${kind}`);
  };

  const commands: Commands = {
    open: ({ engine, rate = 0, places: most = 64 }) =>
      taken(async () => {
        places = most;
        backlog = await openEngine(engine);
        backlog.serve(
          {
            others: () => ({ waiting: 0, bytes: 0 }),
            places: () => places,
            begin: (run) => {
              places -= 1;
              leave(run);
            },
            isOpen: () => true,
            onSettled: ({ id }) => ended.get(id)?.(),
            onInherited: () => {},
            onChange: () => {},
            onFailure: (reason) => reason !== undefined && fail(reason),
          },
          { rate, entries: 1_000_000, bytes: 2 ** 40, places: most },
        );
      }),
    async firstByte({ count }) {
      const latencies = [];
      for (let n = 0; n < count; n += 1) {
        const id = randomUUID();
        const isBegun = new Promise<void>((resolve) => begun.set(id, resolve));
        const isEnded = new Promise<void>((resolve) => ended.set(id, resolve));
        const startedAt = performance.now();
        void accept(id).catch(fail);
        await isBegun;
        latencies.push(performance.now() - startedAt);
        await isEnded;
        begun.delete(id);
        ended.delete(id);
      }
      return latencyOf(latencies);
    },
    loop: (load) =>
      closedLoop((_, done) => {
        const id = randomUUID();
        ended.set(id, () => {
          ended.delete(id);
          done();
        });
        accept(id).catch(fail);
      }, load),
    async pause() {
      backlog.pause();
      while (!backlog.counts.paused) await sleep(1);
    },
    async resume() {
      backlog.resume();
    },
    async fill({ count }) {
      const before = await held();
      const { ms, block } = await taken(async () => {
        const accepted = [];
        for (let n = 0; n < count; n += 1) {
          accepted.push(accept(randomUUID()));
          if (n % AT_ONCE === 0) await turn();
        }
        await Promise.all(accepted);
      });
      return { ms, block, bytes: ((await held()) - before) / count };
    },
    drop: () =>
      taken(async () => {
        await backlog.drop();
      }),
    starts: async () => starts.splice(0),
  };
  process.on("message", ({ name, options }: { name: keyof Commands; options: never }) => {
    (commands[name](options) as Promise<unknown>).then((result) => process.send?.({ result: result ?? null }), fail);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ started: true });
}

async function taken(work: () => Promise<void>): Promise<Taken> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await sleep(5);
  delays.reset();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  // A block at the end counts as well.
  await sleep(5);
  delays.disable();
  return { ms, block: delays.max / 1e6 };
}

async function held(): Promise<number> {
  global.gc?.();
  await sleep(50);
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

if (require.main === module) serve();
