import type { ActionRow } from "../../../fields/kinds/action-row";
import { typed } from "../../../fields/sources/property";
import { CHARACTERS_A_SECOND } from "../../../speech";
import { translate } from "../../texts";
import { reasonLine } from "../../validate/reasons";
import { rowProblem } from "../../validate/row";
import { rowsOf, withChanges } from "../list-rows";
import { actionInput, isTalk } from "./action-input";
import { furtherKeys } from "./further-keys";
import { playButton } from "./play-button";
import { textInput } from "./text-input";
import { voiceInput } from "./voices";

const NEW_ROW: ActionRow = { action: "talk", text: "", textType: "str" };

/** Numbers the rows of a page, for the ids of their reasons. */
let rows = 0;

/** Makes the list of spoken actions of a call-out. */
export const spokenActions = rowsOf(showSpokenRow, "spoken.add", true);

function showSpokenRow(item: JQuery, given: unknown): () => ActionRow {
  const row = Object(given ?? NEW_ROW) as ActionRow;
  item.addClass("telephony-list-row");
  const [first, second, third] = [line(item), $("<div>").appendTo(item), line(item)];
  first.addClass("telephony-said");
  const action = actionInput(first, row);
  const voiceLine = line(first);
  const voice = voiceInput(voiceLine, String(row["voice"] ?? ""));
  const text = textInput(second, row, action);
  rows += 1;
  const speed = speedInput(labelled(third, "speed"), row);
  const loop = loopInput(labelled(third, "loop"), row);
  const more = furtherKeys(third, item, row);
  const estimate = $("<span>", { class: "telephony-estimate", title: translate("spoken.estimated") }).appendTo(third);
  const showPlay = playButton(voiceLine, () => ({ text: written(), speed: speedOf(speed) }));
  const inputs = {
    action: action.add(action.next()),
    text: text.add(text.next()),
    speed,
    loop,
    voice: voice.typed,
    more: more.input.add(more.input.next()),
  };
  const explain = reasonLine(item, `telephony-row-${rows}-problem`, ...Object.values(inputs));

  const update = () => {
    const problem = rowProblem(read());
    for (const [part, input] of Object.entries(inputs)) input.toggleClass("input-error", part === problem?.part);
    explain(problem?.text);
    const seconds = secondsToSay(written() ?? "");
    estimate.text(seconds > 0 ? translate("spoken.estimate", { seconds }) : "");
    showPlay();
  };
  item.on("change input keyup", update);
  update();
  if (given === undefined) second.find("textarea").trigger("focus");
  return read;

  /** The text as written in the dialog: empty if it comes from elsewhere, `undefined` if nothing is said. */
  function written(): string | undefined {
    if (!isTalk(action)) return undefined;
    return text.typedInput("type") === "str" ? text.typedInput("value") : "";
  }

  function read(): ActionRow {
    const chosen = action.typedInput("type");
    const shown = {
      action: chosen === "other" ? action.typedInput("value").trim() : chosen,
      text: text.typedInput("value"),
      textType: text.typedInput("type"),
      voice: voice.value(),
      speed: speedOf(speed),
      loop: loop.val(),
    };
    return more.addTo(withChanges(row, shown, { textType: typed(shown.text, "").type }));
  }
}

function line(item: JQuery): JQuery {
  return $("<div>", { class: "telephony-line" }).appendTo(item);
}

function labelled(line: JQuery, key: "speed" | "loop"): JQuery {
  const label = $("<label>", { class: "telephony-number", title: translate(`spoken.${key}.hint`) });
  return label.append($("<span>", { text: translate(`spoken.${key}.label`) })).appendTo(line);
}

/** The service's own. */
const DEFAULT_LOOP = "3";

function loopInput(label: JQuery, row: ActionRow): JQuery {
  return $("<input>", {
    type: "text",
    class: "telephony-spoken-loop",
    placeholder: `(${DEFAULT_LOOP})`,
    val: String(row["loop"] ?? ""),
  }).appendTo(label);
}

/** The steps that the box suggests. The interface shows neither a unit nor a range. */
const SPEEDS = [-2, -1, 0, 1, 2] as const;

function speedInput(label: JQuery, row: ActionRow): JQuery {
  const [list, value] = [`telephony-row-${rows}-speeds`, String(row["speed"] ?? "")];
  const steps = SPEEDS.map((speed) => $("<option>", { value: speed, label: translate(`spoken.speed.words.${speed}`) }));
  $("<datalist>", { id: list }).append(steps).appendTo(label);
  const attributes = { type: "number", step: "any", list, class: "telephony-spoken-speed", placeholder: "(0)" };
  const input = $("<input>", { ...attributes, val: value }).appendTo(label);
  // A number box shows no other text, and Done would lose it.
  return input.val() === value ? input : input.attr("type", "text").val(value);
}

/** Reads the speed. Text that is no number would read as nothing, which is the default. */
function speedOf(input: JQuery): string {
  return input.is(":invalid") ? "?" : String(input.val());
}

const SIGNS_A_SECOND = 5;

/** The estimated seconds that a text takes to say; 0 for an empty text. */
function secondsToSay(text: string): number {
  const spoken = text.trim();
  const signs = spoken.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return Math.ceil((spoken.length - signs) / CHARACTERS_A_SECOND + signs / SIGNS_A_SECOND);
}
