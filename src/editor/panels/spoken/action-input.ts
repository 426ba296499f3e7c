import type { ActionRow } from "../../../fields/kinds/action-row";
import { translate } from "../../texts";

/** Makes the input of an action: one that the interface names, or any other that is typed. */
export function actionInput(line: JQuery, row: ActionRow): JQuery {
  const action = String(row.action ?? "");
  const known = action === "talk" || action === "play";
  const input = $("<input>", {
    type: "text",
    class: "telephony-spoken-action",
    style: "width: 100%",
    "aria-label": translate("spoken.action.label"),
    val: known ? "" : action,
  }).appendTo($("<div>").appendTo(line));
  const plain = (value: string) => ({ value, label: translate(`spoken.action.${value}`), hasValue: false });
  const other: TypedInputType = { value: "other", label: translate("spoken.action.other") };
  input.typedInput({ default: known ? action : "other", types: [plain("talk"), plain("play"), other] });
  input.on("typedinputtypechange", () => input.typedInput("type") === "other" && input.typedInput("focus"));
  return input;
}

export const isTalk = (action: JQuery) => action.typedInput("type") === "talk";
export const isPlay = (action: JQuery) => action.typedInput("type") === "play";
