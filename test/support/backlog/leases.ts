import { until } from "../until";
import type { RedisServer } from "./redis-server";

/** The prefix of the only group. */
export async function prefix(server: RedisServer): Promise<string> {
  const [state = ""] = (await server.command("KEYS", "*:state")) as string[];
  return state.slice(0, -":state".length);
}

const EXPIRE = `for _, alive in ipairs(redis.call('KEYS', '*:alive')) do
  for _, who in ipairs(redis.call('ZRANGE', alive, 0, -1)) do redis.call('ZADD', alive, 0, who) end
end`;

/** Lets the leases of all instances of all groups run out. */
export const expireLeases = (server: RedisServer) => server.command("EVAL", EXPIRE, "0");

/**
 * Lets the leases of all instances run out, as if their processes hung, and opens one that restores what they held. They do not hang, and one
 * that hears news renews its lease, so that it runs out again until then.
 */
export async function successorTo<T>(server: RedisServer, open: () => Promise<T>): Promise<T> {
  const alive = `${await prefix(server)}:alive`;
  const hung = (await server.command("ZRANGE", alive, "0", "-1")) as string[];
  const expire = () => Promise.all(hung.map((instance) => server.command("ZADD", alive, "XX", "0", instance)));
  await expire();
  const successor = await open();
  await until(async () => {
    await expire();
    const left = (await server.command("ZMSCORE", alive, ...hung)) as (string | null)[];
    return left.every((score) => score === null);
  });
  return successor;
}
