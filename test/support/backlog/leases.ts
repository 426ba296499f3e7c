import { setTimeout as sleep } from "node:timers/promises";
import type { RedisServer } from "./redis-server";

/** The prefix of the only group. */
export async function prefix(server: RedisServer): Promise<string> {
  const [state = ""] = (await server.command("KEYS", "*:state")) as string[];
  return state.slice(0, -":state".length);
}

/** Lets the leases of all instances run out, as if their processes hung. What they are about to renew comes first. */
export async function expire(server: RedisServer): Promise<void> {
  const alive = `${await prefix(server)}:alive`;
  await sleep(200);
  for (const instance of (await server.command("ZRANGE", alive, "0", "-1")) as string[])
    await server.command("ZADD", alive, "XX", "0", instance);
}
