import { Connection } from "./connection";
import { loaded } from "./open";
import { type Promised, promiseOf } from "./promised";
import { parseRedisAddress } from "./redis-address";
import { RedisRefusal, refusalOf } from "./refusal";

/** Longer than one attempt to connect. Milliseconds. */
const LONGEST_MS = 6000;

/**
 * Connects to Redis once, and finds out whether it can keep a backlog. Changes nothing there. Rejects with a RedisRefusal if
 * the settings have to change, else with the error of the connection.
 * @param load loads ioredis
 */
export async function probeRedis(url: string, load: () => Promise<unknown>): Promise<Promised> {
  const address = parseRedisAddress(url);
  if (!address) throw new RedisRefusal("url", "not the address of a Redis");
  const connection = new Connection(await loaded(load), address);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error("no answer")), LONGEST_MS);
      connection.tell({ ready: resolve, failed: reject, hears: () => {}, published: () => {} });
    });
    await connection.run("backlogProbe", "{telephony:probe}", []);
    return await promiseOf(connection);
  } catch (error) {
    throw refusalOf(error as Error) ?? error;
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
