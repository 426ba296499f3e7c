import assert from "node:assert/strict";
import type { Limits } from "../../../src/backlog";
import { openRedis } from "../../../src/backlog/redis/open";
import type { RedisStore, RedisStoreOptions } from "../../../src/backlog/redis/redis-store";
import { until } from "../until";
import { loadRedis } from "./ioredis";
import { prefix, successorTo } from "./leases";
import { RedisServer } from "./redis-server";
import { Stage } from "./stage";
import { Traced, WORDS, type Word, type Words } from "./traces";

const QUICK_MS = 1500;
const SLOW_MS = 60_000;

let group = 0;
const open: Instance[] = [];

/** Begins a group that no other test has. */
export function newGroup(): void {
  group += 1;
}

export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map(({ backlog }) => backlog.close()));
}

/** A Redis for a suite; each test begins with nothing in it, in a group of its own, and its instances close at its end. */
export function withRedis() {
  let server: RedisServer;
  before(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    newGroup();
    await server.command("FLUSHALL");
  });
  afterEach(closeAll);
  after(() => server?.kill());
  const open = (limits: Partial<Limits> = {}, leaseMs?: number) => Instance.open(server.url, limits, leaseMs);
  /** The name of a key of the only group. */
  const key = async (name: string) => `${await prefix(server)}:${name}`;
  const opens =
    (leaseMs?: number): Word =>
    async (traced, names) => {
      for (const name of names) traced.turnTo(name, await open(traced.limits, leaseMs));
    };
  /** A group that several share; its instances `open`, `open-slowly` or `open-quickly`. */
  const words: Words = {
    ...WORDS,
    opens: opens(),
    "opens-slowly": opens(SLOW_MS),
    "opens-quickly": opens(QUICK_MS),
    /** Lets all leases run out. The next one may have no slots yet. */
    "succeeded-by": async (traced, [name = "", slots = "Infinity"]) => {
      const next = () =>
        open(traced.limits, QUICK_MS).then((opened) => Object.assign(opened, { slots: Number(slots) }));
      traced.turnTo(name, await successorTo(server, next));
    },
    serve: ({ stage }) => stage.serve(),
    redis: (_, command) => server.command(...(command as [string])),
    /** Sends a command with a key of the group. */
    "redis-key": async (_, [command = "", name = "", ...more]) => server.command(command, await key(name), ...more),
    /** Has told that Redis has lost everything, so often. */
    loses: ({ stage }, [times]) => until(() => String((stage as Instance).losses.length) === times),
  };
  return {
    /** @param more words of the suite */
    play: (trace: string, more: Words = {}) => new Traced({ ...words, ...more }).play(trace),
    get server() {
      return server;
    },
    key,
    open,
    quick: () => open({}, QUICK_MS),
    /** Renews its lease rarely. */
    slow: () => open({}, SLOW_MS),
  };
}

/** An instance that takes part in a group; its runs end when the test says so. */
export class Instance extends Stage {
  private constructor(
    override readonly store: RedisStore,
    limits: Partial<Limits>,
    readonly differences: readonly string[],
    /** The durability of Redis, each time it began to work. */
    readonly durabilities: readonly string[],
    readonly losses: readonly string[],
  ) {
    super(store, limits);
    open.push(this);
  }

  /** Rejects if Redis refuses. */
  static async open(
    url: string,
    limits: Partial<Limits> = {},
    leaseMs = 3000,
    more: RedisStoreOptions = {},
  ): Promise<Instance> {
    const differences: string[] = [];
    const durabilities: string[] = [];
    const losses: string[] = [];
    const store = await openRedis({
      url,
      prefix: [`group ${group}`],
      load: loadRedis,
      leaseMs,
      ...more,
      onDifference: (limit) => differences.push(limit),
      onLost: () => losses.push("lost"),
      onWorks: (durability, eviction) =>
        durabilities.push(eviction === undefined ? durability : `${durability}, ${eviction}`),
    });
    return new Instance(store, limits, differences, durabilities, losses);
  }

  /** Accepts an entry that is performed, and waits until its end is told. */
  async goesThrough(id: string): Promise<void> {
    assert.deepEqual(await this.accept(id), { kind: "accepted" });
    await until(() => this.begun.includes(id));
    this.runs.find(({ entry }) => entry.id === id)?.settle("applied", null);
    await until(() => this.ended.includes(id));
  }

  /** Ends what it has begun. */
  settleAll(): void {
    for (const run of this.runs.splice(0)) run.settle("applied", null);
  }

  /** Ends what it has begun, and keeps the runs. */
  settleAllKept(): void {
    for (const run of this.runs) run.settle("applied", null);
  }
}
