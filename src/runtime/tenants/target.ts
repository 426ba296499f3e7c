import { createHash } from "node:crypto";
import type { ConnectionOptions } from "node:tls";
import type { ProxyServer, Settings } from "../../client";
import type { HoursSettings } from "../schedules/calling-hours-settings";
import type { guardLists } from "./guard";

/** The parts that a tenant has besides its settings. */
interface Parts {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly hours: HoursSettings | undefined;
  readonly lists: ReturnType<typeof guardLists>;
  readonly tls: ConnectionOptions | undefined;
  readonly proxy: ProxyServer | undefined;
}

export type Target = ReturnType<typeof targetOf>;

/** A tenant as data: where its requests go, and what limits them. */
export function targetOf(settings: Settings, parts: Parts) {
  const { mode, address, engine, redisUrl, group } = settings;
  const { hours, lists, tls, proxy } = parts;
  return {
    ...parts,
    settings,
    /** Waiting calls and deduplication keys belong to it. Without a choice, the engine is a file, too. */
    key: hash([mode, address, ...(mode === "live" ? [engine || "file", redisUrl, group] : [])]),
    /** Tenants that look the same keep their client, with its connections, backlog and pause. */
    fingerprint: hash([settings, hours, lists.identity, tls, proxy?.url.href, proxy?.authorization]),
  };
}

/** Settings are compared by hash, so that secrets are not kept. */
function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}
