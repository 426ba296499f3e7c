import Mustache from "mustache";
import { followOwn } from "./path";

/** A variable of a template that the message does not have, or that is no text. */
export class TemplateError extends Error {
  constructor(
    readonly key: "templateMissing" | "templateNotText",
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
    return String(value);
  }

  /** Unescaped: what goes out is JSON and speech, never HTML. */
  override escapedValue(token: string[], context: Mustache.Context): string {
    return this.unescapedValue(token, context);
  }
}

/**
 * Prepares a mustache template over a message. A missing section is empty, a missing variable throws `TemplateError`
 * when rendered: half a sentence must not be spoken to a customer.
 * @throws Error when the template itself is wrong.
 */
export function template(text: string): (message: object) => string {
  const writer = new MessageWriter();
  writer.parse(text);
  return (message) => writer.render(text, new MessageContext(message));
}
