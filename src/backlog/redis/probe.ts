import { type Durability, durabilityOf } from "./durability";
import { connect } from "./open";
import { refusalOf } from "./refusal";

/** Longer than one attempt to connect. Milliseconds. */
const LONGEST_MS = 6000;

/**
 * Connects to Redis once, and finds out whether it can keep entries. Changes nothing there. Rejects with a RedisRefusal if
 * the settings have to change, else with the error of the connection.
 * @param load loads ioredis
 */
export async function probeRedis(url: string, load: () => Promise<unknown>): Promise<Durability> {
  const connection = await connect(url, load);
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error("no answer")), LONGEST_MS);
      connection.follow([], { ready: resolve, failed: reject });
    });
    await connection.run("accept", "{telephony:probe}", ["", "", ""]);
    return await durabilityOf(connection);
  } catch (error) {
    throw refusalOf(error as Error) ?? error;
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}
