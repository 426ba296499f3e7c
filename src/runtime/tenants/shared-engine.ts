import type { NodeAPI } from "node-red";
import { Backlog } from "../../backlog";
import type { RedisStore } from "../../backlog/redis/redis-store";
import { notSent, type TenantError } from "../../client";
import { flows } from "../delivery/flow-lifecycle";
import { telephonyFolder } from "../delivery/unfinished-file";
import { logText, shared } from "../node-red/catalogue";
import { swallowErrors } from "../node-red/swallow-errors";
import type { Engine, Owner } from "./chosen-tenant";
import { sharedOptOuts } from "./opt-outs";
import { progressFile } from "./progress-file";

/** Opens what all instances with the same Redis and group share. The backlog rejects with ERR_CONFIG. */
export function openShared(RED: NodeAPI, owner: Owner): Engine {
  const opening = openStore(RED, owner);
  const backlog = opening.then(async (store) => {
    // Whether a node was deleted is known only then.
    await flows.untilRunning();
    return new Backlog(store);
  });
  const shared = opening.then(
    ({ lines }) => sharedOptOuts(lines),
    () => undefined,
  );
  return { backlog, shared };
}

async function openStore(RED: NodeAPI, { id, name: tenant, settings }: Owner): Promise<RedisStore> {
  const { openRedis } = require("../../backlog/redis/open") as typeof import("../../backlog/redis/open");
  const { redisUrl: url, mode, address, partyFields } = settings;
  const group = settings.group || id;
  const prefix = [group, mode, address ? address.origin + address.prefix : "", partyFields];
  const folder = telephonyFolder(RED);
  let logged = "";
  try {
    return await openRedis({
      url,
      prefix,
      load: () => loadIoredis(RED),
      ...(folder !== undefined && { progress: progressFile(folder, id, prefix) }),
      onDifference: (limit) => logText(RED, "warn", "log.groupDiffers", { tenant, group, setting: SETTINGS[limit] }),
      onLost: () => logText(RED, "error", "log.redisLost", { tenant }),
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
  } catch (error) {
    throw asConfigProblem(error);
  }
}

/** The settings of a tenant that the limits of a backlog come from. */
const SETTINGS = { rate: "rate", entries: "backlog", bytes: "backlog", slots: "concurrency" } as const;

/** Loads ioredis from the user folder, else from where this package finds it. */
export async function loadIoredis(RED: NodeAPI): Promise<unknown> {
  const { import: installed } = RED as unknown as { import?: (module: string) => Promise<unknown> };
  try {
    if (installed) return await installed("ioredis");
  } catch {
    // Not in the user folder.
  }
  return require("ioredis");
}

/** Returns the reason why Redis cannot be used until something is changed. */
export function asConfigProblem(error: unknown): TenantError {
  const { RedisRefusal } = require("../../backlog/redis/connection") as typeof import("../../backlog/redis/connection");
  const { kind, message } = error instanceof RedisRefusal ? error : { kind: "", message: String(error) };
  // Node says which files have asked for a module that is missing, a line each.
  const [reason = ""] = message.split("\n");
  if (kind === "missing")
    return notSent("ERR_CONFIG", "config", { key: "config.redisMissing", field: "engine", params: { reason } });
  if (kind === "url") return notSent("ERR_CONFIG", "config", { key: "config.redisUrl", field: "redisUrl" });
  return notSent("ERR_CONFIG", "config", { key: "config.redisRefused", field: "redisUrl", params: { reason } });
}
