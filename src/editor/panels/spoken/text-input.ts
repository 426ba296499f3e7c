import type { ActionRow } from "../../../fields/kinds/action-row";
import { keepWordsApart } from "../../inputs/input";
import { inOneLine, severalLines } from "../../inputs/several-lines";
import { mustache, text as textType } from "../../inputs/types";
import { translate } from "../../texts";
import { isPlay } from "./action-input";

/** Makes the typed input of what is said or played: several lines where it is written here. */
export function textInput(box: JQuery, row: ActionRow, action: JQuery): JQuery {
  const type = String(row.textType || "str");
  const text = String(row.text ?? "");
  const isWritten = type === "str" || type === "mustache";
  const input = $("<input>", {
    type: "text",
    class: "telephony-spoken-text",
    style: "width: 100%",
    val: isWritten ? inOneLine(text) : text.replace(/\n/g, "\t"),
  }).appendTo(box);
  const hint = $("<p>", { class: "telephony-hint", text: translate("spoken.play.hint") }).appendTo(box);
  const types = [
    "msg",
    severalLines(textType(), (area) => ask(area)),
    severalLines(mustache(), (area) => ask(area)),
    ...["flow", "global", "jsonata", "env"],
  ];
  const offered = types.some((each) => (typeof each === "string" ? each : each.value) === type);
  input.typedInput({ default: type, types: offered ? types : [...types, { value: type, label: type }] });
  keepWordsApart(input);
  const update = () => {
    ask(input.next().find("textarea, .red-ui-typedInput-input"));
    hint.toggle(isPlay(action));
  };
  action.on("change", update);
  update();
  return input;

  /** The interface does not show what names the sound of `play`; its text is the only key that fits. */
  function ask(field: JQuery): void {
    const kind = isPlay(action) ? "play" : "text";
    field.attr({
      placeholder: translate(`spoken.${kind}.placeholder`),
      "aria-label": translate(`spoken.${kind}.label`),
    });
  }
}
