import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { NodeAPI } from "node-red";
import { Backlog } from "../../backlog";
import type { RedisStore } from "../../backlog/redis/redis-store";
import { notSent, type Settings, type TenantError } from "../../tenant";
import { shared } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";

type Room = typeof import("../../backlog/redis/open");

/** Opens the backlog that all instances with the same Redis and group share. Rejects with ERR_CONFIG. */
export async function openShared(RED: NodeAPI, id: string, tenant: string, settings: Settings): Promise<Backlog> {
  const { openRedis } = require("../../backlog/redis/open") as Room;
  const options = storeOptions(RED, id, settings);
  const [group = ""] = options.prefix;
  const warn = (setting: string) => RED.log.warn(shared(RED, "log.groupDiffers", { tenant, group, setting }));
  let logged = "";
  try {
    const store = await openRedis({
      ...options,
      onDifference: (limit) => swallowErrors(() => warn(SETTINGS[limit])),
      onLost: () => swallowErrors(() => RED.log.error(shared(RED, "log.redisLost", { tenant }))),
      onWorks: (durability, eviction) => {
        const texts = [shared(RED, `log.redisPromise.${durability}`, { tenant })];
        if (eviction !== undefined) texts.push(shared(RED, "log.redisEviction", { tenant, policy: eviction }));
        // Redis may have been restarted with other settings.
        if (logged === texts.join("\n")) return;
        logged = texts.join("\n");
        const [promise = "", ...warnings] = texts;
        swallowErrors(() => (durability === "always" ? RED.log.info(promise) : RED.log.warn(promise)));
        for (const text of warnings) swallowErrors(() => RED.log.warn(text));
      },
    });
    return new Backlog(store);
  } catch (error) {
    throw asConfigProblem(error);
  }
}

/**
 * Opens what earlier processes of this Node-RED have left in Redis, and no other instance has restored: it is restored as soon as their
 * leases have run out, and there is nothing else in it.
 */
export async function openEarlier(RED: NodeAPI, id: string, settings: Settings): Promise<RedisStore> {
  const { openRedis } = require("../../backlog/redis/open") as Room;
  return openRedis({ ...storeOptions(RED, id, settings), onlyEarlier: true });
}

function storeOptions(RED: NodeAPI, id: string, { redisUrl: url, group, mode, address, partyFields }: Settings) {
  const prefix = [group || id, mode, address ? address.origin + address.prefix : "", partyFields];
  const { get, userDir } = RED.settings as { readonly get?: (name: string) => unknown; readonly userDir?: string };
  // Many machines are named alike, and a user folder may be copied with its id to another place.
  const names = [get?.("instanceId") ?? randomUUID(), hostname(), userDir, id];
  const owner = createHash("sha256").update(JSON.stringify(names));
  return { url, prefix, load: () => loadIoredis(RED), owner: `${owner.digest("hex").slice(0, 16)}.` };
}

/** The settings of a tenant that the limits of a backlog come from. */
const SETTINGS = { rate: "rate", entries: "backlog", bytes: "backlog", places: "concurrency" } as const;

/** As Node-RED has installed it with a deploy, or as somebody has installed it by hand. */
export async function loadIoredis(RED: NodeAPI): Promise<unknown> {
  const { import: installed } = RED as unknown as { import?: (module: string) => Promise<unknown> };
  try {
    if (installed) return await installed("ioredis");
  } catch {
    // Not by Node-RED.
  }
  return require("ioredis");
}

/** Why Redis cannot be used until something is changed. */
export function asConfigProblem(error: unknown): TenantError {
  const { RedisRefusal } = require("../../backlog/redis/refusal") as typeof import("../../backlog/redis/refusal");
  const { kind, message } = error instanceof RedisRefusal ? error : { kind: "", message: String(error) };
  // Node says which files have asked for a module that is missing, a line each.
  const [reason = ""] = message.split("\n");
  if (kind === "missing")
    return notSent("ERR_CONFIG", "config", { key: "config.redisMissing", field: "engine", params: { reason } });
  if (kind === "url") return notSent("ERR_CONFIG", "config", { key: "config.redisUrl", field: "redisUrl" });
  return notSent("ERR_CONFIG", "config", { key: "config.redisRefused", field: "redisUrl", params: { reason } });
}
