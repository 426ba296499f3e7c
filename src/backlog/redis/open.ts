import { createHash } from "node:crypto";
import { type ClientClass, Connection } from "./connection";
import type { GroupLimits } from "./membership";
import type { Promised } from "./promised";
import { parseRedisAddress } from "./redis-address";
import { RedisBacklog } from "./redis-backlog";
import { RedisRefusal, refusalOf } from "./refusal";

/** What is written into Redis, and how: instances with another format have another backlog. */
const FORMAT = 1;

/** A Redis that has not answered by then is away for now. Milliseconds. */
const DECIDED_MS = 5000;

export interface OpenOptions {
  readonly url: string;
  /** What instances must have in common to share a backlog: group, mode, address, body style. */
  readonly prefix: readonly string[];
  /** Loads ioredis. */
  readonly load: () => Promise<unknown>;
  /** The group uses another value for one of the limits than this instance. Called once for each of its deploys. */
  readonly onDifference?: (limit: keyof GroupLimits) => void;
  /** Redis works, for the first time or again. Told what it promises, and the policy by which it would delete what waits. */
  readonly onWorks?: (promised: Promised, eviction: string | undefined) => void;
  /** How long an instance that ends without notice keeps what it holds. Milliseconds. */
  readonly leaseMs?: number;
}

/**
 * Opens a backlog in Redis. A Redis that cannot be reached is no error: the backlog tells its trouble, and works as soon as
 * Redis does. Rejects with a RedisRefusal if the settings have to change.
 */
export async function openRedis({ url, prefix, load, onWorks, ...options }: OpenOptions): Promise<RedisBacklog> {
  const address = parseRedisAddress(url);
  if (!address) throw new RedisRefusal("url", "not the address of a Redis");
  const connection = new Connection(await loaded(load), address);
  const parts = createHash("sha256").update(JSON.stringify([FORMAT, ...prefix]));
  const name = `telephony:${parts.digest("hex").slice(0, 24)}`;
  let decide: (refusal: RedisRefusal | undefined) => void = () => {};
  const decided = new Promise<RedisRefusal | undefined>((resolve) => {
    decide = resolve;
  });
  const backlog = new RedisBacklog(connection, name, {
    ...options,
    onFailure: (error) => decide(refusalOf(error)),
    onWorks: () => {
      decide(undefined);
      if (onWorks) void Promise.all([backlog.promise(), backlog.eviction()]).then((facts) => onWorks(...facts));
    },
  });
  const timer = setTimeout(() => decide(undefined), DECIDED_MS);
  const refusal = await decided;
  clearTimeout(timer);
  if (!refusal) return backlog;
  await backlog.close();
  throw refusal;
}

/** The class of ioredis. Rejects with a RedisRefusal. */
export async function loaded(load: () => Promise<unknown>): Promise<ClientClass> {
  try {
    const ioredis = (await load()) as {
      readonly Redis?: ClientClass;
      readonly default?: { readonly Redis: ClientClass };
    };
    const Client = ioredis.Redis ?? ioredis.default?.Redis;
    if (Client) return Client;
  } catch (error) {
    throw new RedisRefusal("missing", error instanceof Error ? error.message : String(error));
  }
  throw new RedisRefusal("missing", "not the package ioredis");
}
