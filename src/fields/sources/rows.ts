import { isGiven } from "../../hours/untrusted";
import { ValueError } from "../../hours/value-error";
import { type ActionRow, actionOfRow } from "../kinds/action-row";
import { DIALOG } from "../word";
import { textOfRow } from "./property";
import { type Host, readAll, type Source, source } from "./source";

/** Prepares the rows of spoken actions in a flow file (`actionsType: "list"`). */
export function actionRows(value: unknown, field: string, host: Host): Source {
  if (!Array.isArray(value)) return listInDialog(value, field);
  const rows: readonly ActionRow[] = value;
  const texts = rows.map((row, index) => source(textOfRow(row), `${field}[${index}].text`, host));
  const made = rows.map((row, index) => actionOfRow(row, `${field}[${index}]`));
  const actions = (read: readonly unknown[]) => made.map((make, index) => make(read[index]));
  const problem = texts.find((text) => text.problem)?.problem;
  return {
    label: DIALOG,
    fixed: false,
    ...(problem && { problem }),
    looked: texts.find(({ label }) => label !== DIALOG)?.label ?? DIALOG,
    read: (message) => {
      const read = readAll(texts, message);
      return read instanceof Promise ? read.then(actions) : actions(read);
    },
    found: (message, part) => {
      const index = Number(/^\[(\d+)\]\.text$/.exec(part)?.[1] ?? -1);
      const text = texts[index];
      return text ? (text.found?.(message, "") ?? text.label) : DIALOG;
    },
  };
}

/** Prepares a list of the flow file that is used as it is. */
export function listInDialog(value: unknown, field: string): Source {
  return {
    label: DIALOG,
    fixed: true,
    read: () => {
      if (isGiven(value) && !Array.isArray(value)) throw new ValueError("input.notList", field, { value }, DIALOG);
      return value;
    },
  };
}
