import { type ActionRow, wrongPlaceholder } from "../../../fields/kinds/action-row";
import { textOfRow } from "../../../fields/sources/property";
import { keepWordsApart, nameExpandButton, recognizeType } from "../../inputs/input";
import { columnType, ownType, readsRows } from "../../inputs/types";
import { translate } from "../../texts";
import { isPlay } from "./action-input";

/** Makes the typed input of what is said or played: several lines where it is written here. */
export function textInput(box: JQuery, row: ActionRow, action: JQuery): JQuery {
  const { value, type } = textOfRow(row);
  const text = String(value ?? "");
  const isWritten = type === "str" || type === "mustache";
  const input = $("<input>", {
    type: "text",
    class: "telephony-spoken-text",
    style: "width: 100%",
    val: isWritten ? inOneLine(text) : text.replace(/\n/g, "\t"),
  }).appendTo(box);
  const hint = $("<p>", { class: "telephony-hint", text: translate("spoken.play.hint") }).appendTo(box);
  const notice = $("<p>", { class: "telephony-warning", role: "status" }).appendTo(box);
  const types = [
    readsRows(RED.editor.getEditStack().at(-1)) ? columnType() : "msg",
    severalLines(ownType("str"), (area) => ask(area)),
    severalLines(ownType("mustache"), (area) => ask(area)),
    ...["flow", "global", "jsonata", "env"],
  ];
  let caret = text.length;
  const offered = types.some((each) => (typeof each === "string" ? each : each.value) === type);
  input.typedInput({ default: type, types: offered ? types : [...types, { value: type, label: type }] });
  nameExpandButton(input);
  keepWordsApart(input);
  recognizeType(input);
  // Node-RED sets the focus to the button of the menu then, and what is typed next would be lost.
  const goOn = () =>
    input.next().find("textarea").trigger("focus").prop({ selectionStart: caret, selectionEnd: caret });
  input.on("typedinputtypechange", () => queueMicrotask(goOn));
  const update = () => {
    ask(input.next().find("textarea, .red-ui-typedInput-input"));
    hint.toggle(isPlay(action));
  };
  action.on("change", update);
  update();
  input.on("change", showPlaceholder);
  showPlaceholder();
  return input;

  function showPlaceholder(): void {
    const advice = { str: "spoken.notFilled", mustache: "spoken.noField" } as const;
    const type = input.typedInput("type") as keyof typeof advice;
    const wrong = wrongPlaceholder(input.typedInput("value"), type);
    const isWithMsg = type === "mustache" && wrong?.startsWith("{{");
    const text = wrong && translate(isWithMsg ? "spoken.withMsg" : advice[type], { value: wrong });
    notice.text(text ?? "").toggle(wrong !== undefined);
  }

  /** The interface does not show what names the sound of `play`; its text is the only key that fits. */
  function ask(field: JQuery): void {
    const kind = isPlay(action) ? "play" : "text";
    field.attr({
      placeholder: translate(`spoken.${kind}.placeholder`),
      "aria-label": translate(`spoken.${kind}.label`),
    });
    field.on("input", () => {
      caret = field.prop("selectionStart");
    });
  }
}

/** Puts a field into a text, where the caret was; any other source of the text gives way to a template. */
export function insertField(input: JQuery, field: string): void {
  const caret: number | undefined = input.next().find("textarea").prop("selectionStart");
  if (input.typedInput("type") !== "mustache") input.typedInput("type", "mustache");
  const area = input.next().find("textarea");
  const text = String(area.val());
  const at = Math.min(caret ?? text.length, text.length);
  const end = at + field.length;
  area.val(text.slice(0, at) + field + text.slice(at));
  area.prop({ selectionStart: end, selectionEnd: end }).trigger("input").trigger("focus");
}

/** Stands for a line break in the text box of a typed input, which cannot hold one. A private character of Unicode. */
const BREAK = "\uE000";

/** A text as the text box of a typed input holds it. */
function inOneLine(text: string): string {
  return text.replace(/\r?\n/g, BREAK);
}

/** Shows a type of a typed input as several lines. `prepare` gets the text area each time that it is made. */
function severalLines(type: TypedInputType, prepare: (area: JQuery) => void): TypedInputType {
  const shown = (value: string) => value.replaceAll(BREAK, "\n");
  return {
    ...type,
    export: shown,
    valueLabel(container, value) {
      const { input } = this;
      const area = $("<textarea>", { rows: 2, class: "telephony-lines", spellcheck: true }).val(shown(value));
      prepare(area.appendTo(container));
      area.on("input", () => {
        input.val(inOneLine(String(area.val()))).trigger("change");
      });
    },
    expand() {
      const complete = (text: string) => this.value(inOneLine(text.trimEnd()));
      RED.editor.editText({ value: this.value(), focus: true, complete });
    },
  };
}
