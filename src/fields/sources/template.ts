import Mustache from "mustache";
import { ValueError } from "../../hours/value-error";
import { attempt } from "../../json/rules";
import { unquoted } from "../quote";
import { columnAt, readColumn } from "./column";
import { followOwn } from "./path";

/** Looks up names in own properties only and calls no function: a message is data. */
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

/** Looks up names behind `payload.` and `row.` as those of columns first. */
class RowContext extends MessageContext {
  override push(view: unknown): RowContext {
    return new RowContext(view, this);
  }

  override lookup(name: string): unknown {
    const column = columnAt(name);
    const isMessage = column !== undefined && typeof this.view === "object" && this.view !== null;
    return (isMessage ? readColumn(this.view, column) : undefined) ?? super.lookup(name);
  }
}

class MessageWriter extends Mustache.Writer {
  constructor(private readonly field: string) {
    super();
  }

  override unescapedValue(token: string[], context: Mustache.Context): string {
    const name = token[1] ?? "";
    const value: unknown = context.lookup(name);
    const problem =
      value === undefined || value === null
        ? "input.templateMissing"
        : typeof value === "object"
          ? "input.templateNotText"
          : typeof value === "number" && !isExact(value) && "input.templateUnsafe";
    if (problem) throw new ValueError(problem, this.field, { variable: unquoted(name) });
    return String(value);
  }

  /** The text is sent as JSON and spoken, so HTML escapes would be wrong. */
  override escapedValue(token: string[], context: Mustache.Context): string {
    return this.unescapedValue(token, context);
  }
}

/** Whether a number has all its digits. An integer that is not safe may have been rounded. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** A parsed tag of a template: its kind, its name, and for a section the tokens inside. */
type Token = readonly [kind: string, name: string, start: number, end: number, inside?: unknown];

/** Whether a template has a partial: there is nowhere to load it from, and mustache would silently render it as nothing. */
function hasPartial(tokens: readonly Token[]): boolean {
  return tokens.some(([kind, , , , inside]) => kind === ">" || (Array.isArray(inside) && hasPartial(inside)));
}

/** @throws ValueError when it cannot be read, as with a `{{` that is not closed */
export function parseTemplate(text: string, field: string, writer = new MessageWriter(field)): readonly Token[] {
  const tokens = attempt((): readonly Token[] => writer.parse(text));
  if (!tokens || hasPartial(tokens)) throw new ValueError("config.template", field, { value: text });
  return tokens;
}

/**
 * Prepares a mustache template over a message. A missing section is empty. A missing variable throws `ValueError` when
 * rendered, because a customer must not hear half a sentence.
 * @throws ValueError when the template cannot be read
 */
export function template(text: string, field: string, Context = MessageContext): (message: object) => string {
  const writer = new MessageWriter(field);
  const tokens = parseTemplate(text, field, writer) as readonly unknown[] as string[][];
  return (message) => writer.renderTokens(tokens, new Context(message), undefined, text);
}

/** Prepares a template over a message whose `payload` and `row` are a row. Throws as {@link template} does. */
export function rowTemplate(text: string, field: string): (message: object) => string {
  return template(text, field, RowContext);
}

/** The variable whose value a template has, if it is nothing else. */
export function onlyVariable(text: string): string | undefined {
  const [only, ...others] = Mustache.parse(text) as readonly Token[];
  return only && others.length === 0 && /^(?:name|&)$/.test(only[0]) ? only[1] : undefined;
}

/** The names of all variables and sections in a template. Throws errors of the library. */
export function namesIn(text: string): string[] {
  const names = (tokens: readonly Token[]): string[] =>
    tokens.flatMap(([kind, name, , , inside]) => [
      ...(/^(?:name|[&#^])$/.test(kind) ? [name] : []),
      ...(Array.isArray(inside) ? names(inside) : []),
    ]);
  return names(Mustache.parse(text) as readonly Token[]);
}
