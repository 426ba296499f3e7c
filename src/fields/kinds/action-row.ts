import { fromJson, isBlank, toObject } from "./coerce";

/** A row of the dialog's list of spoken actions. Its text is a typed input. */
export interface ActionRow {
  readonly action?: unknown;
  readonly text?: unknown;
  readonly textType?: unknown;
  /** Further keys of the action, an object or its JSON text. */
  readonly more?: unknown;
  readonly [other: string]: unknown;
}

/**
 * Prepares the action of a row. Returns what makes it of what the row's text gives for a message: `undefined` when that is
 * nothing and no other property is set, so that no call is placed with nothing to say. Such rows stay in the list until it is
 * checked, so that an error has the row number of the dialog. A row whose action is not talk and which never had a text stays:
 * the interface does not document which actions need one. What is returned throws ValueError.
 */
export function actionOfRow(row: ActionRow, field: string): (read: unknown) => unknown {
  if (typeof row !== "object" || row === null) return () => row;
  const { action, text: written, textType: _, more, ...others } = row;
  const isBare = Object.values(others).every(isBlank) && (isBlank(action) || action === "talk" || !isBlank(written));
  let further: object | undefined;
  return (read) => {
    further ??= furtherKeys(more, `${field}.more`);
    const isSilent = isBlank(read);
    if (isSilent && isBare && Object.keys(further).length === 0) return undefined;
    // What the row shows in fields of its own wins.
    return isSilent ? { ...further, action, ...others } : { ...further, action, text: read, ...others };
  };
}

function furtherKeys(more: unknown, field: string): object {
  if (isBlank(more)) return {};
  return toObject(typeof more === "string" ? fromJson(more, field) : more, field);
}

/**
 * Placeholders of other languages, which are spoken as they stand, and `{{msg.…}}`, which names nothing of a message. Between two
 * percentages, a language without blanks may have one word.
 */
const NO_PLACEHOLDER =
  /(?<!\{)\$?\{\s*[\p{L}_][\p{L}\p{M}\p{N}_.-]*\s*\}(?!\})|(?<!\p{N})%[\p{L}_][\p{L}\p{M}\p{N}_.]*%|\{\{\{?[#^&\s]*msg\./iu;
const FIELD = /\{\{[^{}]+\}\}/;

/**
 * The first part of a text that looks like a field of the message but is not one.
 * @param type only in a template are fields filled in, and only in a fixed text can it be a mistake that they are not
 */
export function wrongPlaceholder(text: unknown, type: unknown): string | undefined {
  if (typeof text !== "string" || !(type === "str" || type === "mustache")) return undefined;
  const [found] = (type === "str" && FIELD.exec(text)) || NO_PLACEHOLDER.exec(text) || [];
  return found;
}
