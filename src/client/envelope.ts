/** The service's answer. Its `code` decides nothing: the interface shows 200 and 0 for successes. */
export interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly [other: string]: unknown;
}

/** The content of an answer's body. */
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
  let text: string;
  try {
    text = UTF8.decode(body);
  } catch {
    return { kind: "other", text: body.toString("latin1"), truncated: false };
  }
  if (tooDeep(text)) return { kind: "other", text, truncated: false };
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return { kind: "other", text, truncated: text === "" || text.trimStart().startsWith("{") };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "other", text, truncated: false };
  const object = value as Readonly<Record<string, unknown>>;
  if (typeof object["success"] !== "boolean") return { kind: "other", text, truncated: false, object };
  return { kind: "envelope", envelope: value as Envelope };
}

/** Drops the key `__proto__`: harmless here, but not in code that copies the data key by key. */
function parse(text: string): unknown {
  // The key may be written with escapes.
  if (!text.includes("__proto__") && !text.includes("\\u00")) return JSON.parse(text);
  return JSON.parse(text, function (this: unknown, key, value: unknown) {
    return key === "__proto__" ? undefined : value;
  });
}

function tooDeep(text: string): boolean {
  if (text.length <= 2 * DEEPEST) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
  }
  return false;
}

const [BACKSLASH, QUOTE, BRACE, BRACKET, CLOSING_BRACE, CLOSING_BRACKET] = ["\\", '"', "{", "[", "}", "]"].map((c) =>
  c.charCodeAt(0),
);
