const BLANKS = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*/iuy;
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|[[\]{},:]/iy;

/** A line and a column, from 1. */
type Place = { readonly line: number; readonly column: number };

/**
 * The place where a text that is no JSON stops being JSON.
 * @param read the text as it was read: what was replaced in it has kept its length
 */
export function errorPlace(text: string, read = text): Place {
  const steps = errorIndex(read);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return placeAt(text, value);
  }
}

/** The same of a long text, one token a step. */
export function* errorPlaceInSteps(text: string): Generator<undefined, Place> {
  return placeAt(text, yield* errorIndex(text));
}

function placeAt(text: string, index: number): Place {
  const lines = text.slice(0, index).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** The kinds of token that may come next. */
type Next = "value" | "value or end" | "name" | "name or end" | "colon" | "comma or end";

function* errorIndex(text: string): Generator<undefined, number> {
  /** The ends of the objects and lists around this place. */
  const ends: string[] = [];
  let next: Next | undefined = "value";
  let at = 0;
  for (;;) {
    at += matchAt(BLANKS, text, at).length;
    const begun = matchAt(STRING, text, at);
    const token = begun ? `${begun}"` : matchAt(TOKEN, text, at);
    if (begun && text[at + begun.length] !== '"') return at + begun.length;
    next = after(token, next, ends);
    if (next === undefined) return at;
    at += token.length;
    yield;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Returns what may follow a token; `undefined` if it may not be there. */
function after(token: string, next: Next, ends: string[]): Next | undefined {
  if (token === ends.at(-1) && next.endsWith("end")) {
    ends.pop();
    return "comma or end";
  }
  if (token === ":") return next === "colon" ? "value" : undefined;
  if (token === "," && next === "comma or end" && ends.length > 0) return ends.at(-1) === "}" ? "name" : "value";
  if (next.startsWith("name")) return token.startsWith('"') ? "colon" : undefined;
  if (!next.startsWith("value") || /^[,\]}]?$/.test(token)) return undefined;
  if (token !== "[" && token !== "{") return "comma or end";
  ends.push(token === "[" ? "]" : "}");
  return token === "[" ? "value or end" : "name or end";
}
