/**
 * Why a Redis cannot be used with these settings: the URL cannot be read, ioredis cannot be loaded, user or password are wrong,
 * the user has too few rights, there is no such database, it is no Redis, it is a node of a cluster that does not have the
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

/** What Redis and ioredis answer, as tried with Redis 6, 7 and 8 and Valkey 8. */
const ANSWERS: readonly (readonly [RegExp, RefusalKind])[] = [
  [/WRONGPASS|NOAUTH|invalid password|without any password configured/, "password"],
  [/NOPERM|can't run this command|can't access at least one of the|No permissions to access/, "rights"],
  [/DB index is out of range|SELECT is not allowed in cluster mode/, "database"],
  [/^Protocol error/, "notRedis"],
  [/^MOVED |CROSSSLOT/, "cluster"],
  [/unexpected symbol near '#'|unknown command 'EVAL/i, "old"],
];

export function refusalOf(error: Error): RedisRefusal | undefined {
  const kind = ANSWERS.find(([answer]) => answer.test(error.message))?.[1];
  return kind && new RedisRefusal(kind, error.message);
}
