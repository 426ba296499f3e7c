import type { NodeAPI } from "node-red";
import { asVariable } from "../../fields/variable";
import { attempt } from "../../json/rules";
import { variablesIn } from "../rehearsal/variables";

/** Shorter values are no secrets, and would match by chance. */
const SHORTEST = 3;
/** Headers that carry a login, whatever their value. */
const LOGINS: readonly string[] = ["authorization", "cookie", "proxy-authorization"];
/** Headers that the client or the connection makes: a test does not need them. */
const OF_THE_CLIENT =
  /^(?:host|connection|content-length|user-agent|accept.*|origin|referer|sec-.*|dnt|cache-control|pragma|x-forwarded-.*|upgrade.*|transfer-encoding)$/;

/** Values that no test may contain, by the name under which a test has them: of the environment, of flows, and credentials. */
export function secretsOf(RED: NodeAPI): ReadonlyMap<string, string> {
  const all: (readonly [string, unknown])[] = [...Object.entries(process.env), ...credentialsOf(RED)];
  RED.nodes.eachNode((node) => {
    for (const { name, value } of variablesIn([{ ...node }])) all.push([String(name), value]);
  });
  return new Map([...byName(all)].filter(([, value]) => value.length >= SHORTEST));
}

/** Credentials of nodes, and variables of tabs, groups and subflows that are credentials, by the name under which a test has them. */
export function credentialsOf(RED: NodeAPI): ReadonlyMap<string, string> {
  const all: (readonly [string, unknown])[] = [];
  RED.nodes.eachNode((node) => {
    const prefix = variablesIn([{ ...node }]).length > 0 ? "" : `${node.id}_`;
    for (const [name, value] of Object.entries(Object(RED.nodes.getCredentials(node.id))))
      if (name === "map" && typeof value === "object") all.push(...Object.entries(Object(value)));
      else all.push([prefix + name, value]);
  });
  return byName(all);
}

function byName(all: readonly (readonly [string, unknown])[]): ReadonlyMap<string, string> {
  return new Map(
    all.flatMap(([name, value]) => (typeof value === "string" ? [[name.replaceAll(/\W/g, "_"), value]] : [])),
  );
}

/** Headers as a test may have them: logins and secrets as `${NAME}`. */
export function headersWithoutSecrets(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  secrets: ReadonlyMap<string, string>,
): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    if (typeof value !== "string" || OF_THE_CLIENT.test(name)) return [];
    const login = LOGINS.includes(name) ? asVariable(name.toUpperCase().replaceAll("-", "_")) : undefined;
    return [[name, nameOf(value, secrets) ?? login ?? value] as const];
  });
  return Object.fromEntries(kept);
}

/** A path with its query, in which secrets are `${NAME}`. */
export function pathWithoutSecrets(path: string, secrets: ReadonlyMap<string, string>): string {
  return path.replaceAll(/(?<=[?&][^=&]*=)[^&]*/g, (given) => {
    // Not every sender encodes a plus.
    const readings = [given, given.replaceAll("+", " ")].map((text) => attempt(() => decodeURIComponent(text)) ?? text);
    return readings.map((value) => nameOf(value, secrets)).find(Boolean) ?? given;
  });
}

function nameOf(value: string, secrets: ReadonlyMap<string, string>): string | undefined {
  for (const [name, secret] of secrets) if (secret === value) return asVariable(name);
  return undefined;
}
