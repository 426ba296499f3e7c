import type { Connection } from "./connection";

export interface Durability {
  /** When what a Redis has answered is on its disk: at once, a second later, perhaps never, or it does not say. */
  readonly promise: "always" | "everysec" | "none" | "unknown";
  /** The policy by which it deletes what waits when it is full, if it does. */
  readonly eviction: string | undefined;
}

const NAMES = ["appendonly", "appendfsync", "maxmemory", "maxmemory-policy"];

/** Asks a Redis for its settings, which not every user may read. */
export async function durabilityOf(connection: Connection): Promise<Durability> {
  const answer = (await connection.command("CONFIG", "GET", ...NAMES).catch(() => [])) as string[];
  const setting = (name: string): string | undefined => {
    const at = answer.indexOf(name);
    return at < 0 ? undefined : answer[at + 1];
  };
  const policy = setting("maxmemory-policy") ?? "noeviction";
  return {
    promise: promiseOf(setting("appendonly"), setting("appendfsync"), connection.hasReplicas),
    eviction: (setting("maxmemory") ?? "0") === "0" || policy === "noeviction" ? undefined : policy,
  };
}

function promiseOf(appendonly: string | undefined, appendfsync: string | undefined, hasReplicas: boolean) {
  if (appendonly === undefined || appendfsync === undefined) return "unknown";
  if (appendonly !== "yes" || appendfsync === "no") return "none";
  // A replica that takes over may be a little behind.
  return appendfsync === "always" && !hasReplicas ? "always" : "everysec";
}
