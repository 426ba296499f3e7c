import { createHash } from "node:crypto";
import { connect, type RedisRefusal, refusalOf } from "./connection";
import { type Durability, factsOf } from "./health";
import { RedisStore, type RedisStoreOptions } from "./redis-store";

/** Version of the data in Redis: instances with another format have another backlog. */
const FORMAT = 3;

/** A Redis that has not answered by then counts as unreachable for now: longer than one attempt to connect. Milliseconds. */
const LONGEST_MS = 6000;

interface OpenOptions extends Omit<RedisStoreOptions, "onFailure" | "onWorks"> {
  readonly url: string;
  /** The values that instances must have in common to share a backlog: group, mode, address, body style. */
  readonly prefix: readonly string[];
  readonly load: () => Promise<unknown>;
  /** Redis works, for the first time or again. `eviction`: the policy by which it would delete entries. */
  readonly onWorks?: (durability: Durability, eviction: string | undefined) => void;
}

/**
 * Opens a store in Redis. A Redis that cannot be reached is no error: the store reports its failure, and works as soon as
 * Redis does. Rejects with a RedisRefusal if the settings have to change.
 */
export async function openRedis({ url, prefix, load, onWorks, ...options }: OpenOptions): Promise<RedisStore> {
  const connection = await connect(url, load);
  const parts = createHash("sha256").update(JSON.stringify([FORMAT, ...prefix]));
  const name = `telephony:${parts.digest("hex").slice(0, 24)}`;
  let store!: RedisStore;
  const refusal = await new Promise<RedisRefusal | undefined>((decide) => {
    setTimeout(decide, LONGEST_MS, undefined).unref();
    store = new RedisStore(connection, name, {
      ...options,
      onFailure: (error) => decide(refusalOf(error)),
      onWorks: () => {
        decide(undefined);
        if (onWorks) void factsOf(connection).then((facts) => onWorks(...facts));
      },
    });
  });
  if (!refusal) return store;
  await store.close();
  throw refusal;
}

/**
 * Connects to Redis once, and finds out whether it can keep entries. Changes nothing there. Rejects with a RedisRefusal if
 * the settings have to change, else with the error of the connection.
 * @param load loads ioredis
 */
export async function probeRedis(url: string, load: () => Promise<unknown>): Promise<Durability> {
  const connection = await connect(url, load);
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(reject, LONGEST_MS, new Error("no answer")).unref();
      connection.follow([], { ready: resolve, failed: reject });
    });
    await connection.run("accept", "{telephony:probe}", ["", "", ""]);
    const [durability] = await factsOf(connection);
    return durability;
  } catch (error) {
    throw refusalOf(error as Error) ?? error;
  } finally {
    connection.close();
  }
}
