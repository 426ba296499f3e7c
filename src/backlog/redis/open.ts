import { createHash } from "node:crypto";
import { Connection, type Ioredis } from "./connection";
import type { Durability } from "./durability";
import { parseRedisAddress } from "./redis-address";
import { RedisStore, type RedisStoreOptions } from "./redis-store";
import { RedisRefusal, refusalOf } from "./refusal";

/** Version of the data in Redis: instances with another format have another backlog. */
const FORMAT = 3;

/** A Redis that has not answered by then counts as unreachable for now. Milliseconds. */
const DECIDED_MS = 5000;

interface OpenOptions extends Omit<RedisStoreOptions, "onFailure" | "onWorks"> {
  readonly url: string;
  /** What instances must have in common to share a backlog: group, mode, address, body style. */
  readonly prefix: readonly string[];
  /** Loads ioredis. */
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
  let decide: (refusal: RedisRefusal | undefined) => void = () => {};
  const decided = new Promise<RedisRefusal | undefined>((resolve) => {
    decide = resolve;
  });
  const store = new RedisStore(connection, name, {
    ...options,
    onFailure: (error) => decide(refusalOf(error)),
    onWorks: () => {
      decide(undefined);
      if (onWorks) void Promise.all([store.durability(), store.eviction()]).then((facts) => onWorks(...facts));
    },
  });
  const timer = setTimeout(() => decide(undefined), DECIDED_MS);
  const refusal = await decided;
  clearTimeout(timer);
  if (!refusal) return store;
  await store.close();
  throw refusal;
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
