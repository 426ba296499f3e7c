import { basename } from "node:path";
import type { NodeAPI } from "node-red";
import type { Durability } from "../../backlog/redis/durability";
import { probeRedis } from "../../backlog/redis/probe";
import { RedisRefusal } from "../../backlog/redis/refusal";
import { readRedisUrl, type Settings } from "../../client";
import { oneLine } from "../../fields";
import { telephonyFolder } from "../../runtime/delivery/unfinished-file";
import { type Refusal, refusal } from "../../runtime/node-red/texts";
import type { UsableTenant } from "../../runtime/tenants/chosen-tenant";
import { journalOf } from "../../runtime/tenants/engine";
import { asConfigProblem, loadIoredis } from "../../runtime/tenants/shared-engine";

/** Where call-outs wait, and whether that works. */
export interface EngineResult {
  readonly kind: Exclude<Settings["engine"], "">;
  /** Name of the journal in the folder `telephony` of the user folder. */
  readonly file?: string;
  readonly promise?: Durability;
  /** Why it fails now. */
  readonly failure?: string;
  /** Why it cannot be used until something is changed. */
  readonly problem?: Refusal;
}

/** Tests where the call-outs of a deployed tenant wait; nothing for simulated calls. */
export async function testEngine(RED: NodeAPI, tenant: UsableTenant): Promise<EngineResult | undefined> {
  const { client, mode, settings } = tenant;
  if (mode !== "live") return undefined;
  if (settings.engine === "redis") return probe(RED, settings.redisUrl);
  const problem = await client.opened;
  const kind = settings.engine || (client.callOuts.backlog?.isDurable === false ? "memory" : "file");
  const { failure } = client.lanes;
  const folder = telephonyFolder(RED);
  const file = kind === "file" && folder !== undefined && basename(journalOf(folder, tenant));
  return {
    kind,
    ...(file && { file }),
    ...(failure !== undefined && { failure }),
    ...(problem && { problem: refusal(RED, problem) }),
  };
}

/**
 * Tests an address of Redis that was typed: connects to it once.
 * @throws TenantError ERR_CONFIG if it is none
 */
export function testTypedRedis(RED: NodeAPI, url: unknown): Promise<EngineResult> {
  return probe(RED, readRedisUrl(url));
}

async function probe(RED: NodeAPI, url: string): Promise<EngineResult> {
  try {
    return { kind: "redis", promise: await probeRedis(url, () => loadIoredis(RED)) };
  } catch (error) {
    if (error instanceof RedisRefusal) return { kind: "redis", problem: refusal(RED, asConfigProblem(error)) };
    return { kind: "redis", failure: reasonOf(error as NodeJS.ErrnoException) };
  }
}

/** Node leaves the message empty if each address of a host refuses. */
function reasonOf({ message, code }: NodeJS.ErrnoException): string {
  return oneLine(message || String(code)).slice(0, 200);
}
