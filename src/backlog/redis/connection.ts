import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { MAX_UNKNOWN, MAX_UNKNOWN_BYTES, UNKNOWN_MS } from "../decisions";
import { MAX_KEYS } from "../deduplication-keys";
import { parseRedisAddress, type RedisAddress } from "./address";

const NAMES = [
  "renew",
  "accept",
  "begin",
  "settle",
  "drop",
  "key",
  "record",
  "set",
  "restore",
  "rewrite",
  "block",
  "decide",
  "unknown",
] as const;

export type FunctionName = (typeof NAMES)[number];

const read = (name: string) => readFileSync(join(__dirname, "lua", `${name}.lua`), "utf8");

/** The functions that run in Redis, each atomic, as `defineCommand` takes them. The head of each file lists its arguments. */
function readFunctions(): ReadonlyMap<FunctionName, string> {
  const limits = { MAX_KEYS, MAX_UNKNOWN, MAX_UNKNOWN_BYTES, UNKNOWN_MS };
  const values = Object.entries(limits).map(([constant, value]) => `local ${constant} = ${value}\n`);
  const prelude = values.join("") + read("prelude");
  return new Map(
    NAMES.map((name) => {
      const lua = read(name);
      const [flags = ""] = lua.split("\n", 1);
      return [name, `${flags}\n${prelude}${lua.slice(flags.length)}`];
    }),
  );
}

/** The part of ioredis that is used, which is an optional peer. */
export type Ioredis = Pick<typeof import("ioredis"), "Redis" | "Cluster">;
type Client = InstanceType<Ioredis["Redis"]>;

const CONNECT_TIMEOUT_MS = 5000;
/** A connection on which no reply comes for this long is given up: a route may end without a trace. */
const SILENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 2000;

interface Listeners {
  /** Reports that commands can be sent. */
  ready(): void;
  /** Reports that channels are heard from now on; what was published before is missed. */
  hears(): void;
  published(channel: string, message: string): void;
  failed(error: Error): void;
}

/** Two connections to Redis: one for commands, one for what is published. Both are made again whenever they break. */
export class Connection {
  readonly #commands: Client;
  readonly #news: Client;
  /** Whether a replica may take over, which may be a little behind. */
  readonly hasReplicas: boolean;
  #listeners: Partial<Listeners> = {};
  #channels: readonly string[] = [];
  /** `refused`: there is no such database. ioredis goes on with database 0. */
  #state: "away" | "refused" | "ready" = "away";
  /** Whether what is published is heard. */
  hears = false;
  #closed = false;

  constructor(ioredis: Ioredis, address: RedisAddress) {
    this.hasReplicas = address.sentinel !== undefined || address.isCluster;
    const options = {
      ...serverOf(address),
      // A command that waits for a connection, or is sent again after one was lost, could run much later: a ghost call.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResubscribe: false,
      // These need rights that not every user has, or write to the console.
      enableReadyCheck: false,
      disableClientInfo: true,
      protocol: 2 as const,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      retryStrategy: (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS),
      sentinelRetryStrategy: (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS),
    };
    if (address.isCluster) [this.#commands, this.#news] = this.#clustered(ioredis, address, options);
    else
      [this.#commands, this.#news] = [{ ...options, db: address.database }, options].map(
        (each) => new ioredis.Redis(each),
      ) as [Client, Client];
    for (const [name, lua] of readFunctions())
      this.#commands.defineCommand(`telephony:${name}`, { numberOfKeys: 2, lua });
    this.#commands.on("error", (error: Error) => {
      if (refusalOf(error)?.kind === "database") this.#state = "refused";
    });
    this.#commands.on("close", () => {
      this.#state = "away";
    });
    this.#news.on("close", () => {
      this.hears = false;
    });
    // After the listeners above, so that the store sees the new state.
    for (const client of [this.#commands, this.#news]) {
      client.on("error", (error: Error) => this.#failed(error));
      client.on("close", () => this.#failed(new Error("the connection was closed")));
    }
    this.#commands.on("ready", () => {
      if (this.#state === "refused") return;
      this.#state = "ready";
      this.#listeners.ready?.();
    });
    this.#news.on("ready", () => void this.#subscribe());
    this.#news.on("message", (channel: string, message: string) => this.#listeners.published?.(channel, message));
  }

  get isReady(): boolean {
    return this.#state === "ready";
  }

  /** Reports to these listeners from now on, also what is published in these channels. */
  follow(channels: readonly string[], listeners: Partial<Listeners>): void {
    this.#listeners = listeners;
    this.#channels = channels;
    if (this.#news.status === "ready") void this.#subscribe();
  }

  /** Runs one of the functions. Rejects when there is no connection, or its reply was lost. */
  async run(name: FunctionName, key: string, args: readonly (string | number)[]): Promise<unknown> {
    if (!this.isReady) throw new NotSent();
    const client = this.#commands as unknown as Record<string, (...all: (string | number)[]) => Promise<unknown>>;
    return client[`telephony:${name}`]?.(key, `${key}:state`, ...args);
  }

  async command(name: string, ...args: string[]): Promise<unknown> {
    if (!this.isReady) throw new NotSent();
    return this.#commands.call(name, ...args);
  }

  /** Finds out whether the connections are still there, and tries again what was refused. */
  check(): void {
    if (this.#commands.status === "ready" && !this.isReady) this.#commands.disconnect(true);
    if (this.#news.status !== "ready") return;
    if (this.hears) this.#news.ping().catch(() => {});
    else void this.#subscribe();
  }

  /** Connects anew: what was a primary is a replica now. */
  reconnect(): void {
    this.#state = "away";
    for (const client of [this.#commands, this.#news]) client.disconnect(true);
  }

  close(): void {
    this.#closed = true;
    this.#state = "away";
    for (const client of [this.#commands, this.#news]) client.disconnect();
  }

  /** Connects to a cluster. Each node has a connection of its own, which breaks and is made again while the client stays. */
  #clustered({ Cluster }: Ioredis, { hosts }: RedisAddress, options: object): [Client, Client] {
    const again = (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS);
    const more = { enableOfflineQueue: false, clusterRetryStrategy: again, slotsRefreshTimeout: CONNECT_TIMEOUT_MS };
    // What is used of it is the same.
    const connect = () => new Cluster([...hosts], { ...more, redisOptions: options }) as unknown as Client;
    const commands = connect();
    commands.on("+node", (node: Client) => {
      node.on("close", () => this.#failed(new Error("the connection was closed")));
      node.on("ready", () => this.isReady && this.#listeners.ready?.());
    });
    return [commands, connect()];
  }

  async #subscribe(): Promise<void> {
    if (this.#channels.length === 0) return;
    try {
      await this.#news.subscribe(...this.#channels);
    } catch (error) {
      this.#failed(error as Error);
      return;
    }
    this.hears = true;
    this.#listeners.hears?.();
  }

  #failed(error: Error): void {
    if (!this.#closed) this.#listeners.failed?.(error);
  }
}

/** Returns ioredis' options for the server and the login. */
function serverOf({ hosts, sentinel, isCluster, tls, username, password }: RedisAddress): object {
  const [first] = hosts;
  return {
    ...(isCluster ? {} : sentinel === undefined ? first : { sentinels: hosts, name: sentinel }),
    ...(tls && { tls: first && isIP(first.host) === 0 ? { servername: first.host } : {} }),
    username,
    password,
  };
}

/**
 * The reason why a Redis cannot be used with these settings: the URL cannot be read, ioredis cannot be loaded, user or password are
 * wrong, the user has too few rights, there is no such database, it is no Redis, it is a node of a cluster that does not have the
 * keys, or it is older than Redis 7.
 */
export type RefusalKind = "url" | "missing" | "password" | "rights" | "database" | "notRedis" | "cluster" | "old";

/** Redis cannot be used until the settings or its own change. The message is that of Redis, ioredis or Node. */
export class RedisRefusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message);
  }
}

/** The refusals of Redis 6, 7 and 8, Valkey 8 and ioredis, and clearer words for some. */
const ANSWERS: readonly (readonly [RegExp, RefusalKind, string?])[] = [
  [/WRONGPASS|NOAUTH|invalid password|without any password configured/, "password"],
  // A long command is refused before Redis asks for a password.
  [/unauthenticated (multi)?bulk length/, "password", "NOAUTH Authentication required."],
  [/NOPERM|can't run this command|can't access at least one of the|No permissions to access/, "rights"],
  [/DB index is out of range|SELECT is not allowed in cluster mode/, "database"],
  [/^Unknown RESP type|^Protocol error/, "notRedis", "the server is not Redis"],
  [
    /^MOVED \d+ |CROSSSLOT/,
    "cluster",
    "this node of a Redis Cluster does not have the keys, but refers to another one: ",
  ],
  [/unexpected symbol near '#'|unknown command ['`]EVAL/i, "old", "the server is older than Redis 7"],
];

export function refusalOf(error: Error): RedisRefusal | undefined {
  const answer = ANSWERS.find(([pattern]) => pattern.test(error.message));
  if (!answer) return undefined;
  const [pattern, kind, clearer] = answer;
  // The line of the script helps no user.
  const said = error.message.replace(/ script: \w+, on .*$/s, "");
  return new RedisRefusal(kind, kind === "cluster" ? clearer + said.replace(pattern, "") : (clearer ?? said));
}

/** There is no connection: the command was certainly not sent. */
export class NotSent extends Error {
  constructor() {
    super("no connection to Redis");
  }
}

/** Whether a command that failed may have run nevertheless. */
export function mayHaveArrived(error: unknown): boolean {
  const { message, name } = error as Error;
  return !(error instanceof NotSent) && name !== "ReplyError" && !/enableOfflineQueue|TRYAGAIN/.test(message);
}

/**
 * A connection to an address.
 * @param load loads ioredis
 * @throws RedisRefusal
 */
export async function connect(url: string, load: () => Promise<unknown>): Promise<Connection> {
  const address = parseRedisAddress(url);
  if (!address) throw new RedisRefusal("url", "not the address of a Redis");
  return new Connection(await loaded(load), address);
}

/** The package ioredis. Rejects with a RedisRefusal. */
async function loaded(load: () => Promise<unknown>): Promise<Ioredis> {
  try {
    const loaded = (await load()) as Partial<Ioredis> & { readonly default?: Partial<Ioredis> };
    const ioredis = loaded.Redis ? loaded : loaded.default;
    if (ioredis?.Redis && ioredis.Cluster) return ioredis as Ioredis;
  } catch (error) {
    throw new RedisRefusal("missing", error instanceof Error ? error.message : String(error));
  }
  throw new RedisRefusal("missing", "not the package ioredis");
}
