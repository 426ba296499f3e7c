import { createHash } from "node:crypto";
import type { ConnectionOptions } from "node:tls";
import { asConfigError, type ProxyServer, type Settings, type TenantError } from "../../client";
import { NumberGuard } from "../../client/guard/number-guard";
import type { OptOuts } from "../../client/guard/opt-outs";
import type { HoursSettings } from "../schedules/calling-hours-settings";
import type { guardLists } from "./guard";

interface Parts {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly hours: HoursSettings | undefined;
  readonly lists: ReturnType<typeof guardLists>;
  readonly optOuts: OptOuts;
  readonly tls: ConnectionOptions | undefined;
  readonly proxy: ProxyServer | undefined;
}

/** A tenant as data: where its requests go, and what limits them. */
export type Target = Exclude<ReturnType<typeof targetOf>, TenantError>;

/**
 * Returns the target that settings and parts describe, or ERR_CONFIG where the guard cannot read a list or the country.
 * @param before keeps its guard if it looks the same: a long list takes seconds to read
 */
export function targetOf(
  settings: Settings,
  { lists, ...parts }: Parts,
  before?: { readonly fingerprint?: string | undefined; readonly guard?: NumberGuard | undefined },
) {
  const { mode, address, engine, redisUrl, group } = settings;
  const { hours, optOuts, tls, proxy } = parts;
  /** Waiting calls and deduplication keys belong to it. Without a choice, the engine is a file, too. */
  const key = hash([mode, address, ...(mode === "live" ? [engine || "file", redisUrl, group] : [])]);
  /** Tenants that look the same keep their client, with its connections, backlog and pause. */
  const fingerprint = hash([settings, hours, lists.identity, tls, proxy?.url.href, proxy?.authorization]);
  try {
    const isSame = before?.fingerprint === fingerprint && before.guard?.optOuts === optOuts;
    const known = isSame ? before.guard : undefined;
    return { ...parts, settings, guard: known ?? new NumberGuard(settings, lists, optOuts), key, fingerprint };
  } catch (error) {
    return asConfigError(error);
  }
}

/** Hashes settings to compare them, so that secrets are not kept. */
function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}
