import { FieldError } from "../problem";
import { quote } from "../quote";
import { readAll } from "../read-all";
import { type Host, type Source, source } from "../sources/source";
import { DIALOG } from "../word";
import { readActions } from "./actions";
import { isGiven } from "./coerce";

/** A row of the dialog's list of spoken actions; its text is a typed input of its own. */
interface ActionRow {
  readonly action?: unknown;
  readonly text?: unknown;
  readonly textType?: unknown;
  readonly voice?: unknown;
  readonly speed?: unknown;
  readonly loop?: unknown;
  readonly [other: string]: unknown;
}

/**
 * Prepares the rows of spoken actions that stand in the flow file (`actionsType: "list"`).
 * A row whose text resolves to nothing and that says nothing else is left out: a phone must not ring for silence.
 * A row of another action than talk that never had a text stays, since the interface does not say which actions need one.
 */
export function actionRows(value: unknown, field: string, host: Host): Source {
  if (!Array.isArray(value)) return listInDialog(value, field);
  const rows = value.map((row: ActionRow, index) => ({
    row,
    source: source({ value: row?.text, type: String(row?.textType || "str") }, `${field}[${index}].text`, host),
  }));
  const labels = rows.map(({ source: text }) => text.label);
  return {
    label: DIALOG,
    fixed: false,
    looked: labels.find((label) => label !== DIALOG) ?? DIALOG,
    read(message) {
      const texts = readAll(rows, message);
      return texts instanceof Promise ? texts.then(build) : build(texts);
    },
    preview: () =>
      readActions(build(rows.map(({ source: text }) => (text.fixed ? text.read({}) : `{${text.label}}`))), field),
    found: (message, part) => {
      const index = Number(/^\[(\d+)\]\.text$/.exec(part)?.[1] ?? -1);
      const text = rows[index]?.source;
      return text ? (text.found?.(message, "") ?? text.label) : DIALOG;
    },
  };

  function build(texts: unknown[]): unknown[] {
    // Left out rows stay as holes until the list is checked, so that an error names the row as the dialog shows it.
    return rows.map(({ row }, index) => {
      if (typeof row !== "object" || row === null) return row;
      const { action, text: _, textType: __, ...others } = row;
      const text = blank(texts[index]) ? undefined : texts[index];
      const saysNothing = text === undefined && Object.values(others).every(blank);
      if (saysNothing && (blank(action) || action === "talk" || !blank(row.text))) return undefined;
      return { action, text, ...others };
    });
  }
}

/** Prepares a list that stands in the flow file as it is. */
export function listInDialog(value: unknown, field: string): Source {
  return {
    label: DIALOG,
    fixed: true,
    read: () => {
      if (isGiven(value) && !Array.isArray(value))
        throw new FieldError("notList", field, { value: quote(value) }, DIALOG);
      return value;
    },
  };
}

function blank(value: unknown): boolean {
  return !isGiven(typeof value === "string" ? value.trim() : value);
}
