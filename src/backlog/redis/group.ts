import type { Connection } from "./connection";
import { Membership } from "./membership";

/** A command whose reply must not be missed is repeated after this pause, or as soon as there is a connection. Milliseconds. */
const PAUSE_MS = 1000;

/** A group in Redis, as this process takes part in it. */
export class Group {
  readonly connection: Connection;
  /** Begins the name of each key and channel. */
  readonly prefix: string;
  readonly member: Membership;
  readonly #pauses = new Set<() => void>();
  #closed = false;

  constructor(connection: Connection, prefix: string, leaseMs: number) {
    this.connection = connection;
    this.prefix = prefix;
    this.member = new Membership(leaseMs);
  }

  readonly call = (name: string, ...args: (string | number)[]): Promise<unknown> =>
    this.connection.run(name, this.prefix, args);

  /** Repeats a function whose repetition changes nothing. Resolves to `undefined` if the group is closed before Redis has answered. */
  async insist(name: string, ...args: (string | number)[]): Promise<unknown> {
    while (!this.#closed) {
      try {
        return await this.call(name, ...args);
      } catch {
        await this.#pause();
      }
    }
    return undefined;
  }

  /** There is a connection again. */
  ready(): void {
    for (const end of this.#pauses) end();
  }

  close(): void {
    this.#closed = true;
    this.ready();
    this.connection.close();
  }

  #pause(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, PAUSE_MS);
      this.#pauses.add(end);
    });
  }
}
