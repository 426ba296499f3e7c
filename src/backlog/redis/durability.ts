import type { Connection } from "./connection";

/** How much a Redis can be relied on: what it has answered is on its disk at once, a second later, or perhaps never. */
export type Durability = "always" | "everysec" | "none" | "unknown";

/** What Redis promises of what it has answered, if it shows that. */
export async function durabilityOf(connection: Connection): Promise<Durability> {
  const { appendonly, appendfsync } = await settingsOf(connection);
  if (appendonly === undefined || appendfsync === undefined) return "unknown";
  if (appendonly !== "yes" || appendfsync === "no") return "none";
  // A replica follows a little behind.
  return appendfsync === "always" && !connection.hasReplicas ? "always" : "everysec";
}

/** The policy by which a full Redis would delete waiting entries, if it would and shows that. */
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
