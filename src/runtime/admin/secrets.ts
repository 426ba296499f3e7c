import type { NodeAPI } from "node-red";

/** Shorter values are no secrets, and would match by chance. */
const SHORTEST = 3;
/** Headers that carry a login, whatever their value. */
const LOGINS: readonly string[] = ["authorization", "cookie", "proxy-authorization"];
/** Headers that the client or the connection makes: a test does not need them. */
const OF_THE_CLIENT =
  /^(?:host|connection|content-length|user-agent|accept.*|origin|referer|sec-.*|dnt|cache-control|pragma|x-forwarded-.*|upgrade.*|transfer-encoding)$/;

/** Values that no test may contain, by the name under which a test has them: of the environment, of flows, and credentials. */
export function secretsOf(RED: NodeAPI): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  const add = (name: string, value: unknown) => {
    if (typeof value === "string" && value.length >= SHORTEST) secrets.set(name.replaceAll(/\W/g, "_"), value);
  };
  for (const [name, value] of Object.entries(process.env)) add(name, value);
  RED.nodes.eachNode((node) => {
    const { env } = node as { readonly env?: readonly { readonly name: string; readonly value: unknown }[] };
    const credentials = (RED.nodes.getCredentials(node.id) ?? {}) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(credentials)) {
      if (name === "map" && typeof value === "object")
        for (const [each, own] of Object.entries(value ?? {})) add(each, own);
      else add(Array.isArray(env) ? name : `${node.id}_${name}`, value);
    }
    if (Array.isArray(env)) for (const { name, value } of env) add(name, value);
  });
  return secrets;
}

/** Headers as a test may have them: logins and secrets as `${NAME}`. */
export function headersWithoutSecrets(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  secrets: ReadonlyMap<string, string>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => typeof value === "string" && !OF_THE_CLIENT.test(name),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const login = LOGINS.includes(name) ? `\${${name.toUpperCase().replaceAll("-", "_")}}` : undefined;
      return [name, nameOf(String(value), secrets) ?? login ?? String(value)];
    }),
  );
}

/** A path with its query, in which secrets are `${NAME}`. */
export function pathWithoutSecrets(path: string, secrets: ReadonlyMap<string, string>): string {
  const [address = "", query] = path.split("?", 2);
  if (query === undefined) return path;
  const parts = query.split("&").map((part) => {
    const [name = "", value = ""] = part.split("=", 2);
    const secret = nameOf(decoded(value), secrets);
    return secret === undefined ? part : `${name}=${secret}`;
  });
  return `${address}?${parts.join("&")}`;
}

function nameOf(value: string, secrets: ReadonlyMap<string, string>): string | undefined {
  for (const [name, secret] of secrets) if (secret === value) return `\${${name}}`;
  return undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return value;
  }
}
