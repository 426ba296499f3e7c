import type { Connection } from "./connection";

/** How durable Redis is: an answered write is on its disk at once, a second later, or perhaps never. */
export type Durability = "always" | "everysec" | "none" | "unknown";

/** How durable answered writes are, if Redis shows its settings. */
export async function durabilityOf(connection: Connection): Promise<Durability> {
  const { appendonly, appendfsync } = await settingsOf(connection);
  if (appendonly === undefined || appendfsync === undefined) {
    const info = await connection.command("INFO", "persistence").catch(() => "");
    return String(info).includes("aof_enabled:0") ? "none" : "unknown";
  }
  if (appendonly !== "yes" || appendfsync === "no") return "none";
  // A replica follows a little behind.
  return appendfsync === "always" && !connection.hasReplicas ? "always" : "everysec";
}

/** The eviction policy of a Redis that deletes entries when it is full, if it shows its settings. */
export async function evictionOf(connection: Connection): Promise<string | undefined> {
  const { maxmemory = "0", "maxmemory-policy": policy = "noeviction" } = await settingsOf(connection);
  return maxmemory === "0" || policy === "noeviction" ? undefined : policy;
}

async function settingsOf(connection: Connection): Promise<Record<string, string | undefined>> {
  const names = ["appendonly", "appendfsync", "maxmemory", "maxmemory-policy"];
  const answer = (await connection.command("CONFIG", "GET", ...names).catch(() => [])) as string[];
  return Object.fromEntries(
    names.map((name) => {
      const at = answer.indexOf(name);
      return [name, at < 0 ? undefined : answer[at + 1]];
    }),
  );
}
