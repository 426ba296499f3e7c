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

/** What Redis 6, 7 and 8, Valkey 8 and ioredis answer, and what is clearer than that. */
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
