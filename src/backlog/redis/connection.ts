import { isIP } from "node:net";
import { type FunctionName, readFunctions } from "./functions";
import type { RedisAddress } from "./redis-address";
import { refusalOf } from "./refusal";

/** The part of ioredis that is used. It is an optional peer: its types are not there for everybody. */
interface Client {
  readonly status: string;
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void;
  on(event: string, listener: (...args: never[]) => void): void;
  call(command: string, ...args: string[]): Promise<unknown>;
  subscribe(...channels: string[]): Promise<unknown>;
  ping(): Promise<unknown>;
  disconnect(reconnect?: boolean): void;
}
/** What the package exports. */
export interface Ioredis {
  readonly Redis: new (options: object) => Client;
  readonly Cluster: new (nodes: RedisAddress["hosts"], options: object) => Client;
}

/** Milliseconds. */
const CONNECT_TIMEOUT_MS = 5000;
/** A connection on which no reply comes for this long is given up: a route may end without a trace. */
const SILENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 2000;

/** What a connection reports. */
interface Listeners {
  /** Commands can be sent. */
  ready(): void;
  /** Channels are heard from now on; what was published before is missed. */
  hears(): void;
  published(channel: string): void;
  failed(error: Error): void;
}

/** Two connections to Redis: one for commands, one for what is published. Both are made again whenever they break. */
export class Connection {
  readonly #commands: Client;
  readonly #news: Client;
  /** A replica that takes over may be a little behind. */
  readonly hasReplicas: boolean;
  #listeners: Partial<Listeners> = {};
  #channels: readonly string[] = [];
  /** `refused`: there is no such database. ioredis goes on with database 0. */
  #state: "away" | "refused" | "ready" = "away";
  #hears = false;
  #closed = false;

  constructor(ioredis: Ioredis, address: RedisAddress) {
    this.hasReplicas = address.sentinel !== undefined || address.isCluster;
    const options = {
      ...placeOf(address),
      // A command that waits for a connection, or is sent again after one was lost, could run much later: a ghost call.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResubscribe: false,
      // These need rights that not every user has, or write to the console.
      enableReadyCheck: false,
      disableClientInfo: true,
      protocol: 2,
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
      this.#hears = false;
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
    this.#news.on("message", (channel: string) => this.#listeners.published?.(channel));
  }

  get isReady(): boolean {
    return this.#state === "ready";
  }

  /** Whether what is published is heard. */
  get hears(): boolean {
    return this.#hears;
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

  /** Sends a command of Redis. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    if (!this.isReady) throw new NotSent();
    return this.#commands.call(name, ...args);
  }

  /** Finds out whether the connections are still there, and tries again what was refused. */
  check(): void {
    if (this.#commands.status === "ready" && !this.isReady) this.#commands.disconnect(true);
    if (this.#news.status !== "ready") return;
    if (this.#hears) this.#news.ping().catch(() => {});
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

  /** Each node of a cluster has a connection of its own, which breaks and is made again while the client stays. */
  #clustered({ Cluster }: Ioredis, { hosts }: RedisAddress, options: object): [Client, Client] {
    const again = (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS);
    const more = { enableOfflineQueue: false, clusterRetryStrategy: again, slotsRefreshTimeout: CONNECT_TIMEOUT_MS };
    const connect = () => new Cluster(hosts, { ...more, redisOptions: options });
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
    this.#hears = true;
    this.#listeners.hears?.();
  }

  #failed(error: Error): void {
    if (!this.#closed) this.#listeners.failed?.(error);
  }
}

/** Options of ioredis. */
function placeOf({ hosts, sentinel, isCluster, tls, username, password }: RedisAddress): object {
  const [first] = hosts;
  return {
    ...(isCluster ? {} : sentinel === undefined ? first : { sentinels: hosts, name: sentinel }),
    ...(tls && { tls: first && isIP(first.host) === 0 ? { servername: first.host } : {} }),
    username,
    password,
  };
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
