import { createHash } from "node:crypto";
import { WITHIN } from "../../fields/variable";
import { walk } from "../../json/walk";

type JsonObject = Readonly<Record<string, unknown>>;

/** Variables that Node.js, its libraries or the loader of the system read: they run code, or change what a rehearsal may do. */
export const READ_BY_NODE = /^(?:NODE_|OPENSSL_|SSL_CERT_|LD_|DYLD_|UV_|MALLOC_|GLIBC_TUNABLES)/i;

/** `env.get("NAME")` and JSONata's `$env("NAME")`, and `{{env.NAME}}` of a template. */
const READ = /\benv(?:\.get)?\(\s*\\?["'`]([^"'`\\]+)\\?["'`]|\{\{\{?\s*env\.(\w+)/g;

/** The variables that flows, or other JSON, name whole: in a text, or as an input of type `env`. */
export function namedIn(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  walk(value, (each) => {
    if (typeof each === "string")
      for (const [, ...found] of [...each.matchAll(WITHIN), ...each.matchAll(READ)])
        names.add(found.find(Boolean) ?? "");
    else
      for (const [key, type] of Object.entries(each ?? {})) {
        // As core nodes and others name the type of a property: `valueType`, `vt`, or `type` beside `value`.
        const property = type === "env" ? /^(.*?)[-_]?(?:t|type)$/i.exec(key)?.[1] : undefined;
        if (property !== undefined) names.add(String((each as JsonObject)[property || "value"]));
      }
  });
  return names;
}

/** Lists variables of tabs, groups and subflows. */
export function variablesIn(flows: readonly JsonObject[]): readonly JsonObject[] {
  return flows.flatMap(({ env }) => (Array.isArray(env) ? env.filter((each) => typeof each === "object" && each) : []));
}

/** Takes the place of a credential, which no rehearsal gets: the same for a name wherever it occurs, and on another day. */
export function standIn(name: string, seed: number): string {
  return createHash("sha256").update(`${seed} ${name}`).digest("base64url").slice(0, 24);
}
