import Mustache from "mustache";
import { followOwn } from "./path";

/** A variable of a template that the message does not have, or that cannot stand in a text. */
export class TemplateError extends Error {
  constructor(
    readonly key: "templateMissing" | "templateNotText" | "templateUnsafe",
    readonly variable: string,
  ) {
    super(`${key}: ${variable}`);
  }
}

/** Looks names up in own properties only and calls nothing: a message is data, not a set of helpers. */
class MessageContext extends Mustache.Context {
  override push(view: unknown): MessageContext {
    return new MessageContext(view, this);
  }

  override lookup(name: string): unknown {
    if (name === ".") return this.view;
    const isObject = typeof this.view === "object" && this.view !== null;
    const value: unknown = isObject ? followOwn(this.view, name.split(".")) : undefined;
    if (value === undefined) return this.parent?.lookup(name);
    return typeof value === "function" ? undefined : value;
  }
}

class MessageWriter extends Mustache.Writer {
  override unescapedValue(token: string[], context: Mustache.Context): string {
    const name = token[1] ?? "";
    const value: unknown = context.lookup(name);
    if (value === undefined || value === null) throw new TemplateError("templateMissing", name);
    if (typeof value === "object") throw new TemplateError("templateNotText", name);
    if (typeof value === "number" && !hasItsDigits(value)) throw new TemplateError("templateUnsafe", name);
    return String(value);
  }

  /** Unescaped: what goes out is JSON and speech, never HTML. */
  override escapedValue(token: string[], context: Mustache.Context): string {
    return this.unescapedValue(token, context);
  }
}

/** Whole numbers that are not safe may have lost digits on their way here; those of a fraction are as near as they get. */
function hasItsDigits(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** What the writer makes of `{{name}}` and the like: kind, name, and for a section the tokens inside. */
type Token = readonly [kind: string, name: string, start: number, end: number, inside?: unknown];

/** A partial would have to come from somewhere; without that, it is left out in silence. */
function hasPartial(tokens: readonly Token[]): boolean {
  return tokens.some(([kind, , , , inside]) => kind === ">" || (Array.isArray(inside) && hasPartial(inside)));
}

/**
 * Prepares a mustache template over a message. A missing section is empty, a missing variable throws `TemplateError`
 * when rendered: half a sentence must not be spoken to a customer.
 * @throws Error when the template itself is wrong.
 */
export function template(text: string): (message: object) => string {
  const writer = new MessageWriter();
  if (hasPartial(writer.parse(text))) throw new Error("partials are not supported");
  return (message) => writer.render(text, new MessageContext(message));
}
