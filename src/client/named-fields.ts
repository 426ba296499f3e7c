import { attempt } from "../json/rules";
import { walk } from "../json/walk";
import { booleansIn, hasParties, type Request } from "./request";

/**
 * The fields that a refusal names, of those that tenants may read in another style: the fields of a party, or the boolean
 * parameters of a query. The form of a refusal is not shown by the interface, so every usual form is recognised: a
 * sentence (`The to.type field is required.`), a key or a path of the validator (`{"errors": {"to": […]}}`,
 * `["body", "to", "type"]`, `/to/type`, `to[type]`). A part of the request that is merely repeated names nothing.
 */
export function namedFields(refusal: Buffer, request: Request): readonly string[] {
  const names = namesOf(request);
  if (!names) return [];
  const text = refusal.toString();
  const found = new Set<string>();
  const add = (said: string) => {
    if (names.whole.test(said)) found.add(said);
    for (const [, ...parts] of said.matchAll(names.inText)) found.add(parts.filter(Boolean).join(".").toLowerCase());
  };
  walk(attempt(() => JSON.parse(text)) ?? text, (value, key, depth) => {
    if (depth > DEEPEST || isRepeated(key, value, names)) return false;
    add(key);
    if (typeof value === "string") add(value);
    return undefined;
  });
  return [...found];
}

/** Deeper values of a refusal are not looked at. */
const DEEPEST = 20;

interface Names {
  /** Names in a text, each with the field's parts in its groups. */
  readonly inText: RegExp;
  /** A key or an element of a path that is a name by itself. */
  readonly whole: RegExp;
  /** The values that were sent, by their name. */
  readonly sent: Readonly<Record<string, unknown>>;
}

const PARTY_IN_TEXT =
  /(?<!\w)(from|to)(?:[./]|->|\[["'`]?)(type|number|alias)(?!\w)|["'`](from|to)["'`]|(?<!\w)the (from|to) (?:field|parameter|property|attribute|object)(?!\w)|^(from|to) (?:is required|is missing|must|should)(?!\w)/gi;
const PARTY_KEY = /^(?:from|to)(?:\.(?:type|number|alias))?$/;

function namesOf(request: Request): Names | undefined {
  if (request.method === "POST")
    return hasParties(request) ? { inText: PARTY_IN_TEXT, whole: PARTY_KEY, sent: request.body } : undefined;
  const keys = booleansIn(request);
  if (request.method !== "GET" || keys.length === 0) return undefined;
  return {
    inText: new RegExp(`(?<![\\w.])(${keys.join("|")})(?!\\w)`, "gi"),
    whole: new RegExp(`^(?:${keys.join("|")})$`),
    sent: request.query ?? {},
  };
}

/** A value of the request in the refusal, as some validators repeat it, or a party of it. */
function isRepeated(key: string, value: unknown, { sent, whole }: Names): boolean {
  if (!whole.test(key)) return false;
  if (typeof value !== "object" || value === null) return String(value) === String(sent[key] ?? null);
  if (Array.isArray(value)) return false;
  const parts = Object.entries(value);
  return parts.length > 0 && parts.every(([part, inner]) => inner === sent[`${key}.${part}`]);
}
