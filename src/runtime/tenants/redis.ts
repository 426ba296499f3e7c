import { createRequire } from "node:module";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import { RedisRefusal } from "../../backlog/redis/refusal";
import { oneLine } from "../../fields";
import { notSent, type TenantError } from "../../tenant";

/** Loads ioredis as Node-RED has installed it in the user folder, else as this package finds it. */
export async function loadIoredis(RED: NodeAPI): Promise<unknown> {
  const { userDir } = RED.settings as { readonly userDir?: string };
  const places = [...(userDir ? [createRequire(join(userDir, "package.json"))] : []), require];
  const found = places.find((each) => isFound(each));
  return (found ?? require)("ioredis");
}

function isFound(each: NodeJS.Require): boolean {
  try {
    return each.resolve("ioredis") !== "";
  } catch {
    return false;
  }
}

/** Why Redis cannot be used until something is changed, as ERR_CONFIG; `undefined` if it only cannot be reached now. */
export function redisProblem(error: unknown): TenantError | undefined {
  if (!(error instanceof RedisRefusal)) return undefined;
  const keys = { url: "config.redisUrl", missing: "config.redisMissing" } as const;
  const key = error.kind === "url" || error.kind === "missing" ? keys[error.kind] : "config.redisRefused";
  return notSent("ERR_CONFIG", "config", { key, field: "redisUrl", params: { reason: redisReason(error) } });
}

/** What Redis, ioredis or Node says, without the places where it looked. */
export function redisReason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  // Node leaves the message empty if each address of a host refuses.
  const [line = ""] = (message || String(code)).split("\n");
  return oneLine(line).slice(0, 200);
}
