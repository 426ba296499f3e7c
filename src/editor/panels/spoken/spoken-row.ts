import { FieldError, toNumber } from "../../../fields";
import { mustache } from "../../inputs/types";
import { refusal } from "../../validate/refusal";
import { shared } from "../../words";
import { voices } from "./voices";

/** One row of `actions` in the flow file. */
type SpokenRow = Readonly<Record<string, unknown>>;

const NEW_ROW: SpokenRow = { action: "talk", text: "", textType: "str" };

/** Represents a line break in an input of one line. */
const BREAK = "↵";

/** Characters per second: 150 English words or 200 Vietnamese syllables a minute. */
const CHARACTERS_A_SECOND = 15;
const SIGNS_A_SECOND = 5;

/** Shows a row in an item of the list. Returns a function that reads the row from the dialog. */
export function showSpokenRow(item: JQuery, given: unknown): () => SpokenRow {
  const row = (given ?? NEW_ROW) as SpokenRow;
  item.addClass("telephony-list-row");
  const first = $("<div>", { class: "telephony-said" }).appendTo(item);
  const second = $("<div>", { class: "telephony-line" }).appendTo(item);
  const action = actionInput(first, row);
  const text = textInput(first, row);
  const estimate = $("<span>", { class: "telephony-estimate", title: shared("spoken.estimated") }).appendTo(first);
  const voice = voiceInput(second, row);
  const numbers = $("<div>", { class: "telephony-line" }).appendTo(second);
  const speed = numberInput(numbers, "speed", row);
  const loop = numberInput(numbers, "loop", row);
  const check = () => mark(speed, speedProblem(speed.val()));
  speed.on("change keyup", check);
  check();
  const update = () => {
    const isSaid = action.typedInput("type") === "talk" && text.typedInput("type") === "str";
    const seconds = isSaid ? secondsToSay(text.typedInput("value")) : 0;
    estimate.text(seconds > 0 ? shared("spoken.estimate", { seconds }) : "");
  };
  text.add(action).on("change", update);
  update();
  if (given === undefined) text.typedInput("focus");

  return () => {
    const chosen = action.typedInput("type");
    return withChanges(row, {
      action: chosen === "other" ? action.typedInput("value").trim() : chosen,
      text: text.typedInput("value"),
      textType: text.typedInput("type"),
      voice: voice.val(),
      speed: speed.val(),
      loop: loop.val(),
    });
  };
}

/** The row with its changed parts. Other parts, and those that the dialog does not show, stay as the flow file has them. */
function withChanges(row: SpokenRow, shown: SpokenRow): SpokenRow {
  const before: SpokenRow = { textType: "str", ...row };
  const changed = Object.entries(shown).filter(([key, value]) => String(before[key] ?? "") !== value);
  return { ...row, ...Object.fromEntries(changed) };
}

function actionInput(line: JQuery, row: SpokenRow): JQuery {
  const action = String(row["action"] ?? "");
  const known = action === "talk" || action === "play";
  const input = part(line, "action").val(known ? "" : action);
  const plain = (value: string) => ({ value, label: shared(`spoken.action.${value}`), hasValue: false });
  const other: TypedInputType = { value: "other", label: shared("spoken.action.other") };
  input.typedInput({ default: known ? action : "other", types: [plain("talk"), plain("play"), other] });
  const check = () => {
    const nameless = input.typedInput("type") === "other" && input.typedInput("value").trim() === "";
    mark(input.next(), nameless ? shared("valid.missing") : undefined);
  };
  input.on("change", check);
  input.on("typedinputtypechange", () => input.typedInput("type") === "other" && input.typedInput("focus"));
  check();
  return input;
}

function textInput(line: JQuery, row: SpokenRow): JQuery {
  const type = String(row["textType"] || "str");
  const text = String(row["text"] ?? "");
  const isWritten = type === "str" || type === "mustache";
  const oneLine = isWritten ? text.replace(/\r?\n/g, BREAK) : text.replace(/\n/g, "\t");
  const input = part(line, "text").attr("placeholder", shared("spoken.text.placeholder")).val(oneLine);
  const string = { value: "str", label: shared("source.text"), icon: "red/images/typedInput/az.svg", ...severalLines };
  const types = ["msg", string, { ...mustache(), ...severalLines }, "flow", "global", "jsonata", "env"];
  const offered = types.some((each) => (typeof each === "string" ? each : each.value) === type);
  return input.typedInput({ default: type, types: offered ? types : [...types, { value: type, label: type }] });
}

const severalLines: Pick<TypedInputType, "expand" | "export"> = {
  export: (value) => value.replaceAll(BREAK, "\n"),
  expand() {
    const complete = (text: string) => this.value(text.trimEnd().replace(/\r?\n/g, BREAK));
    RED.editor.editText({ value: this.value(), focus: true, complete });
  },
};

function voiceInput(line: JQuery, row: SpokenRow): JQuery {
  const value = String(row["voice"] ?? "");
  const known = [{ value: "", label: shared("voice.default") }, ...voices()];
  if (!known.some((voice) => voice.value === value)) known.push({ value, label: value });
  return $("<select>", { class: "telephony-spoken-voice telephony-grow", "aria-label": shared("spoken.voice") })
    .append(known.map((voice) => $("<option>", { value: voice.value, text: voice.label })))
    .val(value)
    .appendTo(line);
}

function numberInput(line: JQuery, key: "speed" | "loop", row: SpokenRow): JQuery {
  const input = $("<input>", {
    type: "text",
    class: `telephony-spoken-${key}`,
    placeholder: shared(`spoken.${key}.default`),
    val: String(row[key] ?? ""),
  });
  $("<label>", { class: "telephony-number", title: shared(`spoken.${key}.hint`) })
    .append($("<span>", { text: shared(`spoken.${key}.label`) }), input)
    .appendTo(line);
  return input;
}

function speedProblem(value: unknown): string | undefined {
  const error = refusal(FieldError, () => toNumber(value, shared("spoken.speed.label")));
  return (
    error && shared(`errors.input.${error.key}`, { field: error.field, source: { word: "dialog" }, ...error.params })
  );
}

/** Marks a wrong field as Node-RED does, with the reason as its tooltip. */
function mark(input: JQuery, problem: string | undefined): void {
  input.toggleClass("input-error", problem !== undefined).attr("title", problem ?? null);
}

function part(line: JQuery, key: "action" | "text"): JQuery {
  return $("<input>", {
    type: "text",
    class: `telephony-spoken-${key}`,
    style: "width: 100%",
    "aria-label": shared(`spoken.${key}.label`),
  }).appendTo($("<div>").appendTo(line));
}

/** The estimated seconds that a text takes to say; 0 for an empty text. */
function secondsToSay(text: string): number {
  const spoken = text.trim();
  const signs = spoken.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return Math.ceil((spoken.length - signs) / CHARACTERS_A_SECOND + signs / SIGNS_A_SECOND);
}
