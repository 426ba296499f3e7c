import { ValueError } from "../hours/value-error";
import { quote, reasonOf } from "./quote";
import { type Params, sourceInWords } from "./word";

/** The error itself if it is a `ValueError`; any other comes from a getter, a proxy or a context store. */
export function valueError(error: unknown, path: string, source?: string): ValueError {
  const refused =
    error instanceof ValueError ? error : new ValueError("input.unreadable", path, { reason: reasonOf(error) });
  if (source !== undefined) refused.source ??= source;
  return refused;
}

/** Reads a part of a value: the path of an error begins with the part's own. */
export function inField<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw errorIn(path, error);
  }
}

/** The error of a part of a value: its path begins with the part's own. */
export function errorIn(path: string, error: unknown): unknown {
  if (!(error instanceof ValueError)) return error;
  const separator = /^$|^\[/.test(error.path) ? "" : ".";
  return new ValueError(error.key, path + separator + error.path, error.params, error.source);
}

/** Returns what the sentence of an error shows. Refused values are quoted here and nowhere else. */
export function shownParams({ key, path, source, params }: ValueError): Params {
  // As numbers, `from` and `to` are the limits of a setting.
  const refused = ["value", "from", "to"].filter(
    (name) => name in params && (name === "value" || typeof params[name] === "string"),
  );
  // Eight digits where a date is due are a date, not a phone number to mask, and so are nine: one was typed twice.
  const isDate = (text: string) =>
    /^input\.hours\.(?:date|instant)/.test(key) && /^\s*(?:\d[-./]?){8,9}(?:T[\d:]{4,8}Z?)?\s*$/i.test(text);
  // Another value may throw when it is made a text.
  const textOf = (value: unknown) => (/string|number/.test(typeof value) ? String(value) : "");
  const shown = (value: unknown) => (isDate(textOf(value)) ? `"${textOf(value).trim()}"` : quote(value));
  const quoted = Object.fromEntries(refused.map((name) => [name, shown(params[name])]));
  return { field: path, source: sourceInWords(source ?? path), ...(params as Params), ...quoted };
}
