import { attempt } from "../json/rules";
import { isDeeper } from "../json/walk";

/** The service's answer. Its `code` decides nothing: the interface shows 200 and 0 for successes. */
export interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly [other: string]: unknown;
}

type Reading =
  | { readonly kind: "envelope"; readonly envelope: Envelope }
  | {
      readonly kind: "other";
      readonly text: string;
      readonly truncated: boolean;
      /** The body, if it is an object: the interface does not show the form of an error. */
      readonly object?: Readonly<Record<string, unknown>>;
    };

/** Deeper JSON is refused, because messages are copied recursively. The interface shows four levels. */
const DEEPEST = 200;

/** Throws for bytes that are not UTF-8. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a body: JSON in UTF-8, with or without a byte order mark, whatever its content type says. */
export function readEnvelope(body: Buffer): Reading {
  const text = attempt(() => UTF8.decode(body));
  if (text === undefined) return { kind: "other", text: body.toString("latin1"), truncated: false };
  const other = { kind: "other", text, truncated: false } as const;
  let value = attempt((): unknown => JSON.parse(text));
  if (value === undefined) return { ...other, truncated: text === "" || text.trimStart().startsWith("{") };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return other;
  // A shorter text cannot be as deep.
  if (text.length > 2 * DEEPEST && isDeeper(value, DEEPEST)) return other;
  // The key `__proto__` is harmless here, but not in code that copies the data key by key. It may be written with escapes.
  if (/__proto__|\\u00/.test(text)) value = JSON.parse(text, (key, inner) => (key === "__proto__" ? undefined : inner));
  const object = value as Readonly<Record<string, unknown>>;
  if (typeof object["success"] !== "boolean") return { ...other, object };
  return { kind: "envelope", envelope: value as Envelope };
}
