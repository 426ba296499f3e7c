import { FUNCTIONS } from "./functions";

/** The part of ioredis that is used. It is an optional peer: its types are not there for everybody. */
interface Client {
  status: string;
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: () => void): void;
  subscribe(...channels: string[]): Promise<unknown>;
  zcard(key: string): Promise<number>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
  disconnect(): void;
  readonly [command: string]: unknown;
}

/** How to make a client of ioredis. */
export type MakeClient = (options: object) => Client;

/** Two connections to Redis: one for commands, one for what it announces. */
export class Redis {
  readonly #commands: Client;
  readonly #news: Client;
  #lastTrouble: string | undefined;
  readonly #troubleListeners: ((reason: string) => void)[] = [];

  constructor(make: MakeClient, prefix: string) {
    const retryStrategy = (times: number) => Math.min(times * 200, 3000);
    // A command that waits for a connection, or is sent again after one was lost, could run much later: a ghost call.
    const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 5000, retryStrategy };
    this.#commands = make(options);
    this.#news = make({ ...options, autoResubscribe: false });
    for (const [name, lua] of Object.entries(FUNCTIONS)) this.#commands.defineCommand(name, { numberOfKeys: 1, lua });
    for (const client of [this.#commands, this.#news]) client.on("error", (error: Error) => this.#tell(error.message));
    this.#news.on("ready", () => void this.#news.subscribe(`{${prefix}}:wake`, `{${prefix}}:mail`).catch(() => {}));
  }

  /** Runs one of the functions. Rejects when there is no connection, or its reply was lost. */
  call(name: string, key: string, args: readonly (string | number)[]): Promise<unknown> {
    const command = this.#commands[name] as (...all: (string | number)[]) => Promise<unknown>;
    return command.call(this.#commands, key, ...args);
  }

  counts(prefix: string): Promise<[number, (string | null)[]]> {
    return Promise.all([
      this.#commands.zcard(`${prefix}:waiting`),
      this.#commands.hmget(`${prefix}:state`, "paused", "heldUntil"),
    ]);
  }

  /** Whether a command that failed may have run nevertheless. */
  mayHaveArrived(error: unknown): boolean {
    const { message, name } = error as Error;
    return name !== "ReplyError" && !message.includes("enableOfflineQueue");
  }

  /** Resolves when there is a connection, or after a second. */
  ready(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#commands.off("ready", end);
        resolve();
      };
      const timer = setTimeout(end, 1000);
      this.#commands.on("ready", end);
    });
  }

  onMessage(listener: (channel: string, message: string) => void): void {
    this.#news.on("message", listener as (...args: never[]) => void);
  }

  onReady(listener: () => void): void {
    for (const client of [this.#commands, this.#news]) client.on("ready", listener);
    this.#commands.on("ready", () => {
      this.#lastTrouble = undefined;
    });
  }

  onTrouble(listener: (reason: string) => void): void {
    this.#troubleListeners.push(listener);
  }

  close(): void {
    this.#commands.disconnect();
    this.#news.disconnect();
  }

  /** A Redis that is away makes an error for each attempt to connect: it is told once. */
  #tell(reason: string): void {
    if (reason === this.#lastTrouble) return;
    this.#lastTrouble = reason;
    for (const listener of this.#troubleListeners) listener(reason);
  }
}
