import { isGiven, type Pair, readActions, shownParams } from "../../fields";
import type { ActionRow } from "../../fields/kinds/action-row";
import { checkableRows, textOfRow } from "../../fields/note";
import { partLabel } from "../../fields/path-label";
import { refusal } from "../../hours/value-error";
import { current, currentPair } from "../inputs/pair";
import { translate } from "../texts";
import { fieldLabel } from "./problem";
import { sourceProblem } from "./source";

/** Whether a node places calls, from the tenant's hotline if it has no number of its own. */
export function usesHotline({ type }: EditorNode): boolean {
  return type === "call-out" || type === "call-escalate";
}

/** What is wrong with a call-out's field in combination with its other fields. */
export function callOutProblem(node: EditorNode, property: string, pair: Pair): string | undefined {
  if (property === "fromNumber" && pair.value === "" && !tenantHasHotline(node)) return translate("valid.hotline");
  if (property !== "actions") return undefined;
  const isEmpty = pair.value === "" || (Array.isArray(pair.value) && pair.value.length === 0);
  return isEmpty && currentPair(node, "answerUrl").value === "" ? translate("valid.nothingToSay") : undefined;
}

/** Whether the chosen tenant has a hotline; an unknown tenant may have one. */
export function tenantHasHotline(node: EditorNode): boolean {
  const tenant = RED.nodes.node(String(current(node, "tenant") ?? ""));
  return !tenant || Boolean(tenant["fromNumber"]);
}

/** What is wrong with the path or expression of a row's text, the first of all rows. */
export function rowSources(node: EditorNode, rows: readonly unknown[]): string | undefined {
  for (const [index, row] of rows.entries()) {
    const problem = textProblem(row);
    if (problem !== undefined) return `${fieldLabel(node, `actions[${index}].text`)}: ${problem}`;
  }
  return undefined;
}

/** What is wrong with one row, and with which part of it. */
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
  return isGiven(pair.value) ? sourceProblem(pair) : undefined;
}
