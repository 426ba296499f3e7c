import { attempt } from "../../json/rules";

export interface RedisAddress {
  /** More than one only if they are Sentinels or nodes of a cluster. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** The name of the group of servers that the Sentinels watch. */
  readonly sentinel: string | undefined;
  readonly isCluster: boolean;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

const FORM = /^(redis|rediss|redis\+sentinel|redis\+cluster):\/\/(?:(.*)@)?([^/?#@\s]+)(?:\/([^?#\s]*))?$/;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;

/**
 * Reads `redis://user:password@host:6379/0`, `rediss://…`, `redis+sentinel://host,host/name/0` and
 * `redis+cluster://host,host`. User, password, port and database may be left out; a cluster has no databases.
 * @returns `undefined` for any other text
 */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  const [, scheme, login, list = "", path = ""] = FORM.exec(text) ?? [];
  const isSentinel = scheme === "redis+sentinel";
  const isCluster = scheme === "redis+cluster";
  const form = isSentinel ? /^([^/]+)(?:\/(\d{1,5}))?\/?$/ : isCluster ? /^()(0)?$/ : /^()(\d{1,5})?$/;
  const [, name, database = "0"] = form.exec(path) ?? [];
  if (name === undefined) return undefined;
  const hosts = list.split(",").map((each) => hostOf(each, isSentinel ? 26_379 : 6379));
  const credentials = loginOf(login);
  if (hosts.some((host) => !host) || (!isSentinel && !isCluster && hosts.length > 1) || !credentials) return undefined;
  const [username, password] = credentials;
  return {
    hosts: hosts as RedisAddress["hosts"],
    sentinel: name || undefined,
    isCluster,
    tls: scheme === "rediss",
    username: username || undefined,
    password: password || undefined,
    database: Number(database),
  };
}

function hostOf(text: string, defaultPort: number): RedisAddress["hosts"][number] | undefined {
  const [, host, port = String(defaultPort)] = HOST.exec(text) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return host !== undefined && isPort ? { host: host.replace(/^\[|\]$/g, ""), port: Number(port) } : undefined;
}

/** Reads user and password. A password alone belongs to the default user. */
function loginOf(login = ""): readonly string[] | undefined {
  const [, username = "", password = ""] = /^([^:]*)(?::(.*))?$/.exec(login) ?? [];
  return attempt(() => [decodeURIComponent(username), decodeURIComponent(password)]);
}
