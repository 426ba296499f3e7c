import { readActions } from "../kinds/actions";
import { isBlank, isGiven } from "../kinds/coerce";
import { FieldError } from "../problem";
import { quote } from "../quote";
import { DIALOG } from "../word";
import { type Host, readAll, type Source, source } from "./source";

/** A row of the dialog's list of spoken actions. Its text is a typed input. */
interface ActionRow {
  readonly action?: unknown;
  readonly text?: unknown;
  readonly textType?: unknown;
  readonly [other: string]: unknown;
}

/**
 * Prepares the rows of spoken actions in a flow file (`actionsType: "list"`).
 * A row is left out when its text resolves to nothing and no other property is set: no call is placed with nothing to say.
 * A row whose action is not talk and which never had a text stays: the interface does not document which actions need one.
 */
export function actionRows(value: unknown, field: string, host: Host): Source {
  if (!Array.isArray(value)) return listInDialog(value, field);
  const rows: readonly ActionRow[] = value;
  const texts = rows.map((row, index) =>
    source({ value: row?.text, type: String(row?.textType || "str") }, `${field}[${index}].text`, host),
  );
  return {
    label: DIALOG,
    fixed: false,
    looked: texts.find(({ label }) => label !== DIALOG)?.label ?? DIALOG,
    read: (message) => readAll(texts, message).then((read) => rows.map((row, index) => resolved(row, read[index]))),
    preview: () => {
      const shown = texts.map((text) => (text.fixed ? text.read({}) : `{${text.label}}`));
      return readActions(
        rows.map((row, index) => resolved(row, shown[index])),
        field,
      );
    },
    found: (message, part) => {
      const index = Number(/^\[(\d+)\]\.text$/.exec(part)?.[1] ?? -1);
      const text = texts[index];
      return text ? (text.found?.(message, "") ?? text.label) : DIALOG;
    },
  };
}

/**
 * A row with its text; `undefined` when it is left out. Such rows stay in the list until it is checked, so that an error
 * has the row number of the dialog.
 */
function resolved(row: ActionRow, read: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  const { action, text: _, textType: __, ...others } = row;
  const text = isBlank(read) ? undefined : read;
  const isSilent = text === undefined && Object.values(others).every(isBlank);
  if (isSilent && (isBlank(action) || action === "talk" || !isBlank(row.text))) return undefined;
  return { action, text, ...others };
}

/** Prepares a list of the flow file that is used as it is. */
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
