import type { ActionRow } from "../../../fields/kinds/action-row";
import { SPEEDS } from "../../../fields/kinds/actions";
import { translate } from "../../texts";
import { rowProblem } from "../../validate/call-out";
import { reasonLine } from "../../validate/reasons";
import { withChanges } from "../list-rows";
import { actionInput, isTalk } from "./action-input";
import { furtherKeys } from "./further-keys";
import { knownOrTyped } from "./known-or-typed";
import { playButton } from "./play-button";
import { textInput } from "./text-input";
import { voices } from "./voices";

const NEW_ROW: ActionRow = { action: "talk", text: "", textType: "str" };

/** Numbers the rows of a page, for the ids of their reasons. */
let rows = 0;

/** Shows a row in an item of the list. Returns a function that reads the row from the dialog. */
export function showSpokenRow(item: JQuery, given: unknown, changed: () => void): () => ActionRow {
  const row = (given ?? NEW_ROW) as ActionRow;
  item.addClass("telephony-list-row");
  const [first, second, third] = [line(item), $("<div>").appendTo(item), line(item)];
  first.addClass("telephony-said");
  const action = actionInput(first, row);
  const voiceLine = line(first);
  const voice = knownOrTyped(voiceLine, {
    name: "telephony-spoken-voice",
    label: translate("spoken.voice"),
    other: translate("voice.other"),
    choices: voices(),
    value: String(row["voice"] ?? ""),
  });
  const text = textInput(second, row, action);
  const speed = knownOrTyped(labelled(third, "speed"), {
    name: "telephony-spoken-speed",
    label: translate("spoken.speed.label"),
    other: translate("spoken.speed.other"),
    choices: speeds(),
    value: String(row["speed"] ?? ""),
  });
  const loop = loopInput(labelled(third, "loop"), row);
  const more = furtherKeys(third, item, row, changed);
  const estimate = $("<span>", { class: "telephony-estimate", title: translate("spoken.estimated") }).appendTo(third);
  const showPlay = playButton(voiceLine, () => ({ text: written(), speed: speed.value() }));
  const inputs = {
    action: action.add(action.next()),
    text: text.add(text.next()),
    speed: speed.typed,
    loop,
    voice: voice.typed,
    more: more.input.add(more.input.next()),
  };
  rows += 1;
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
      speed: speed.value(),
      loop: loop.val(),
    };
    return more.addTo(withChanges(row, shown, { textType: "str" }));
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

function speeds(): { value: string; label: string }[] {
  const words = SPEEDS.map((speed) => ({ value: String(speed), label: translate(`spoken.speed.words.${speed}`) }));
  return [{ value: "", label: translate("spoken.speed.default") }, ...words];
}

/** Characters per second: 150 English words or 200 Vietnamese syllables a minute. */
const CHARACTERS_A_SECOND = 15;
const SIGNS_A_SECOND = 5;

/** The estimated seconds that a text takes to say; 0 for an empty text. */
function secondsToSay(text: string): number {
  const spoken = text.trim();
  const signs = spoken.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return Math.ceil((spoken.length - signs) / CHARACTERS_A_SECOND + signs / SIGNS_A_SECOND);
}
