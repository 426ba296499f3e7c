import { FieldError, toNumber } from "../../../fields";
import { mustache } from "../../inputs/types";
import { shared } from "../../words";
import { secondsToSay } from "./duration";
import { voices } from "./voices";

/** One row of `actions` in the flow file. */
export type SpokenRow = Readonly<Record<string, unknown>>;

/** Represents a line break in an input of one line. */
const BREAK = "↵";
const LIST = "telephony-spoken";

/**
 * Shows a row in an item of the list.
 * @returns the input of its text
 */
export function showRow(item: JQuery, row: SpokenRow): JQuery {
  item.addClass("telephony-spoken-row");
  const first = $("<div>", { class: "telephony-said" }).appendTo(item);
  const second = $("<div>", { class: "telephony-line" }).appendTo(item);
  const action = actionInput(first, row);
  const text = textInput(first, row);
  const estimate = $("<span>", { class: "telephony-estimate", title: shared("spoken.estimated") }).appendTo(first);
  voiceInput(second, row);
  const numbers = $("<div>", { class: "telephony-numbers" }).appendTo(second);
  numberInput(numbers, "speed", row);
  numberInput(numbers, "loop", row);
  const update = () => {
    const isSaid = action.typedInput("type") === "talk" && text.typedInput("type") === "str";
    const seconds = isSaid ? secondsToSay(text.typedInput("value")) : 0;
    estimate.text(seconds > 0 ? shared("spoken.estimate", { seconds }) : "");
  };
  text.on("change", update);
  action.on("change", update);
  update();
  return text;
}

/** Reads a row from the dialog. Unchanged parts, and those that the dialog does not show, stay as the flow file has them. */
export function readRow(item: JQuery, row: SpokenRow): SpokenRow {
  const action = item.find(`.${LIST}-action`);
  const text = item.find(`.${LIST}-text`);
  const chosen = action.typedInput("type");
  const shown: Record<string, unknown> = {
    action: chosen === "other" ? action.typedInput("value").trim() : chosen,
    text: text.typedInput("value"),
    textType: text.typedInput("type"),
    voice: item.find(`.${LIST}-voice`).val(),
    speed: item.find(`.${LIST}-speed`).val(),
    loop: item.find(`.${LIST}-loop`).val(),
  };
  const before: SpokenRow = { textType: "str", ...row };
  const kept = Object.entries(shown).flatMap(([key, value]) => {
    if (String(before[key] ?? "") === value) return key in row ? [[key, row[key]]] : [];
    return [[key, value]];
  });
  return { ...row, ...Object.fromEntries(kept) };
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
  const oneLine = isWritten(type) ? text.replace(/\r?\n/g, BREAK) : text.replace(/\n/g, "\t");
  const input = part(line, "text").attr("placeholder", shared("spoken.text.placeholder")).val(oneLine);
  const string: TypedInputType = {
    value: "str",
    label: shared("source.text"),
    icon: "red/images/typedInput/az.svg",
    ...severalLines,
  };
  const types = ["msg", string, { ...mustache(), ...severalLines }, "flow", "global", "jsonata", "env"];
  const offered = types.some((each) => (typeof each === "string" ? each : each.value) === type);
  return input.typedInput({ default: type, types: offered ? types : [...types, { value: type, label: type }] });
}

const isWritten = (type: string) => type === "str" || type === "mustache";

const severalLines: Pick<TypedInputType, "expand" | "export"> = {
  export: (value) => value.replaceAll(BREAK, "\n"),
  expand() {
    const complete = (text: string) => this.value(text.trimEnd().replace(/\r?\n/g, BREAK));
    RED.editor.editText({ value: this.value(), focus: true, complete });
  },
};

function voiceInput(line: JQuery, row: SpokenRow): void {
  const value = String(row["voice"] ?? "");
  const known = [{ value: "", label: shared("voice.default") }, ...voices()];
  if (!known.some((voice) => voice.value === value)) known.push({ value, label: value });
  const select = $("<select>", {
    class: `${LIST}-voice telephony-grow`,
    "aria-label": shared("spoken.voice"),
  }).appendTo(line);
  for (const voice of known) $("<option>", { value: voice.value }).text(voice.label).appendTo(select);
  select.val(value);
}

function numberInput(line: JQuery, key: "speed" | "loop", row: SpokenRow): void {
  const label = $("<label>", { class: "telephony-number" }).appendTo(line);
  $("<span>")
    .text(shared(`spoken.${key}.label`))
    .appendTo(label);
  const input = $("<input>", { type: "text", class: `${LIST}-${key}`, placeholder: shared(`spoken.${key}.default`) });
  input.val(String(row[key] ?? "")).appendTo(label);
  label.attr("title", shared(`spoken.${key}.hint`));
  if (key === "loop") return;
  const check = () => mark(input, speedProblem(input.val()));
  input.on("change keyup", check);
  check();
}

function speedProblem(value: unknown): string | undefined {
  try {
    toNumber(value, shared("spoken.speed.label"));
    return undefined;
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return shared(`errors.input.${error.key}`, { field: error.field, source: { word: "dialog" }, ...error.params });
  }
}

/** Marks a wrong field as Node-RED does, with the reason as its tooltip. */
function mark(input: JQuery, problem: string | undefined): void {
  input.toggleClass("input-error", problem !== undefined).attr("title", problem ?? null);
}

function part(line: JQuery, key: "action" | "text"): JQuery {
  const box = $("<div>").appendTo(line);
  return $("<input>", {
    type: "text",
    class: `${LIST}-${key}`,
    style: "width: 100%",
    "aria-label": shared(`spoken.${key}.label`),
  }).appendTo(box);
}
