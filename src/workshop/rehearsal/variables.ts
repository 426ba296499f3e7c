import { createHash } from "node:crypto";

type JsonObject = Readonly<Record<string, unknown>>;

/** Variables that Node.js, its libraries or the loader of the system read: they run code, or change what a rehearsal may do. */
export const READ_BY_NODE = /^(?:NODE_|OPENSSL_|SSL_CERT_|LD_|DYLD_|UV_|MALLOC_|GLIBC_TUNABLES)/i;

/** `${NAME}`, `env.get("NAME")` and JSONata's `$env("NAME")`, and `{{env.NAME}}` of a template. */
const NAMED = /\$\{([^}]+)\}|\benv(?:\.get)?\(\s*\\?["'`]([^"'`\\]+)\\?["'`]|\{\{\{?\s*env\.(\w+)/g;

/** The variables that flows, or other JSON, name whole: in a text, or as an input of type `env`. */
export function namedIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value === "string")
    for (const [, braced, read, mustache] of value.matchAll(NAMED)) names.add(braced ?? read ?? mustache ?? "");
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) {
      namedIn(each, names);
      // As core nodes and others name the type of a property: `valueType`, `vt`, or `type` beside `value`.
      const property = each === "env" ? /^(.*?)[-_]?(?:t|type)$/i.exec(key)?.[1] : undefined;
      if (property !== undefined) names.add(String((value as JsonObject)[property || "value"]));
    }
  return names;
}

/** Variables of tabs, groups and subflows. */
export function variablesIn(flows: readonly JsonObject[]): readonly JsonObject[] {
  return flows.flatMap(({ env }) => (Array.isArray(env) ? env.filter((each) => typeof each === "object" && each) : []));
}

/** Takes the place of a credential, which no rehearsal gets: the same for a name wherever it occurs, and on another day. */
export function standIn(name: string, seed: number): string {
  return createHash("sha256").update(`${seed} ${name}`).digest("base64url").slice(0, 24);
}

/** A text in which `${NAME}` is replaced where there is a value. */
export function filled(text: string, read: (name: string) => string | undefined, encode = (value: string) => value) {
  return text.replaceAll(/\$\{(\w+)\}/g, (gap, name: string) => {
    const value = read(name);
    return value === undefined ? gap : encode(value);
  });
}
