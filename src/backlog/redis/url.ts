import { RedisRefusal } from "./refusal";

/** Where a Redis is, as options of ioredis. */
export interface Target {
  readonly options: Readonly<Record<string, unknown>>;
  readonly database: number;
  readonly hasSentinels: boolean;
}

const SENTINEL = "redis+sentinel:";
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;

/**
 * Reads `redis://user:password@host:port/database`, `rediss://…`, and
 * `redis+sentinel://user:password@host:port,host:port/name/database`. The sentinels' own password is
 * `?sentinelPassword=…`. Throws a RedisRefusal.
 */
export function parseRedisUrl(text: string): Target {
  const parts = /^(rediss?:|redis\+sentinel:)\/\/(?:([^@/?#]*)@)?([^@/?#]+)(\/[^?#]*)?(\?[^#]*)?$/.exec(text.trim());
  if (!parts) throw unreadable();
  const [, protocol = "", login = "", hosts = "", path = "", query = ""] = parts;
  const hasSentinels = protocol === SENTINEL;
  const [first = "", second = "", ...more] = path.split("/").slice(1).map(decoded);
  const [name, database] = hasSentinels ? [first, second] : ["", first];
  if (more.length > 0 || (!hasSentinels && second !== "") || (hasSentinels && name === "")) throw unreadable();
  const places = hosts.split(",").map((host) => placeOf(host, hasSentinels ? SENTINEL_PORT : REDIS_PORT));
  const sentinelPassword = new URLSearchParams(query).get("sentinelPassword");
  const [place] = places;
  if (!place || (places.length > 1 && !hasSentinels)) throw unreadable();
  return {
    options: {
      ...(hasSentinels ? { sentinels: places, name } : place),
      ...(protocol === "rediss:" && { tls: { servername: place.host } }),
      ...(sentinelPassword !== null && { sentinelPassword }),
      ...loginOf(login),
    },
    database: numberOf(database),
    hasSentinels,
  };
}

function loginOf(login: string): { username?: string; password?: string } {
  const colon = login.indexOf(":");
  const username = decoded(colon < 0 ? login : login.slice(0, colon));
  const password = colon < 0 ? "" : decoded(login.slice(colon + 1));
  return { ...(username !== "" && { username }), ...(password !== "" && { password }) };
}

function placeOf(text: string, otherwise: number): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([^[\]:\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) throw unreadable();
  return { host, port: port === undefined ? otherwise : Number(port) };
}

function numberOf(database: string): number {
  if (!/^\d{0,6}$/.test(database)) throw unreadable();
  return Number(database);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable();
  }
}

function unreadable(): RedisRefusal {
  return new RedisRefusal("url", "not an address of a Redis");
}
