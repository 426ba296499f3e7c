import { isGiven, readActions, shownParams } from "../../fields";
import { partLabel } from "../../fields/field-label";
import type { ActionRow } from "../../fields/kinds/action-row";
import { checkableRows } from "../../fields/note";
import { textOfRow } from "../../fields/sources/property";
import { refusal } from "../../hours/value-error";
import { readsRows } from "../inputs/types";
import { translate } from "../texts";
import { sourceProblem } from "./source";

/** Returns what is wrong with one row, and with which part of it. */
export function rowProblem(row: ActionRow): { readonly part: string; readonly text: string } | undefined {
  const error = refusal(() => readActions(checkableRows([row], ""), ""));
  if (error === undefined) {
    const problem = textProblem(row);
    return problem === undefined ? undefined : { part: "text", text: problem };
  }
  const part = /^\[0\]\.(\w+)/.exec(error.path)?.[1] ?? "more";
  if (error.key === "input.missing") return { part, text: translate("valid.missing") };
  const params = { ...shownParams(error), field: partLabel(part, translate), source: { word: "dialog" } as const };
  return { part, text: translate(`errors.${error.key}`, params) };
}

function textProblem(row: unknown): string | undefined {
  const pair = textOfRow(row);
  return isGiven(pair.value) ? sourceProblem(pair, readsRows(RED.editor.getEditStack().at(-1))) : undefined;
}
