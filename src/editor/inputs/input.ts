import { KINDS } from "../../fields/kinds";
import type { Setting } from "../../fields/setting";
import { nodeText, translate } from "../texts";
import { absentPair, inputId, pairOf } from "./pair";
import { typesFor } from "./types";

/**
 * Makes the typed input of a pair. A hidden input beside it holds the pair's type. An absent pair is replaced by its default
 * first: Node-RED would show it as an empty one, and Done would store that.
 */
export function typedInput(node: EditorNode, property: string, input: JQuery): void {
  const pair = shownPair(node, property);
  const typeField = $(`#${inputId(node, `${property}Type`)}`).val(pair.type);
  input.val(pair.type === "list" ? "" : pair.value);
  wideInput(input, { default: pair.type, types: typesFor(node, property, pair), typeField });
  keepWordsApart(input);
  // The texts of a choice are in a menu.
  if (!KINDS[node._def.defaults[property]?.field?.kind ?? "any"].sources.includes("choice")) recognizeType(input);
  const absent = absentPair(node, property);
  if (absent.type === "msg") suggestPath(input, String(absent.value));
}

/** Makes a typed input as wide as its row, and connects the row's label to it. */
export function wideInput(input: JQuery, options: TypedInputOptions): void {
  // Node-RED reads the width from the style. Otherwise the input keeps its current width.
  input.css("width", "100%").typedInput(options);
  connectLabel(input);
}

/** The pair in one line, as an input shows it: an object as JSON, line breaks of an expression as tabs. */
function shownPair(node: EditorNode, property: string): { value: string; type: string } {
  const { value, type } = pairOf(node, property);
  if (typeof value === "object" && value !== null)
    return { value: JSON.stringify(value), type: type === "list" ? type : "json" };
  const text = String(value ?? "");
  return { value: type === "jsonata" ? text.replace(/\n/g, "\t") : text, type };
}

/** Connects the row's label to what Node-RED shows in place of the input: a text box, or the button of a menu. */
function connectLabel(input: JQuery): void {
  const id = input.attr("id");
  const label = rowOf(input).children("label").attr("id", `${id}-label`);
  const container = input.next(".red-ui-typedInput-container");
  container.find(".red-ui-typedInput-input").attr("id", `${id}-shown`);
  container.find("button").attr("aria-describedby", `${id}-label`);
  nameExpandButton(input);
  label.attr("for", `${id}-shown`).on("click", () => {
    container.find("input:visible, button.red-ui-typedInput-option-trigger:visible").first().trigger("focus");
  });
}

/** Names the button that expands an input: Node-RED shows only three dots in it. */
export function nameExpandButton(input: JQuery): void {
  const name = translate("source.expand");
  input.next().find(".red-ui-typedInput-option-expand").attr({ title: name, "aria-label": name });
}

export function configInput(property: string): JQuery {
  return $(`#node-config-input-${property}`);
}

export function rowOf(input: JQuery): JQuery {
  return input.closest(".telephony-row");
}

export function show(visible: boolean, ...properties: readonly string[]): void {
  for (const property of properties) rowOf($(`#node-input-${property}`)).toggle(visible);
}

/**
 * Names the default of a setting in its box while that is empty, or says below a choice what it means. A narrow box has no
 * room for the word.
 */
export function explain(node: EditorNode, property: string, setting: Setting | undefined): void {
  const input = $(`#${inputId(node, property)}`);
  if (setting && setting.default !== "" && input.is(":text"))
    input.attr(
      "placeholder",
      input.hasClass("telephony-time")
        ? `(${setting.default})`
        : translate("choice.default", { value: String(setting.default) }),
    );
  const hint = $(`#telephony-hint-${property}`);
  if (!setting?.choices || hint.length === 0) return;
  const update = () => hint.text(nodeText(node, `hint.${property}.${String(input.val() || "empty")}`));
  input.on("change", update);
  update();
}

export function fillZones(input: JQuery): void {
  offerValues(input, "telephony-zones", Intl.supportedValuesOf("timeZone"));
}

/** Offers values to an input. Any text may be typed. */
export function offerValues(input: JQuery, id: string, values: readonly string[]): void {
  const list = $("<datalist>", { id }).insertAfter(input.attr("list", id));
  for (const value of values) $("<option>", { value }).appendTo(list);
}

/** Types whose value is said or sent as it is written; the values of others are paths or expressions. */
const WORDS = ["str", "mustache", "num", "url"];

/** Types with a value in a text box. Node-RED remembers those of others by itself. */
const IN_A_BOX = [...WORDS, "msg", "flow", "global", "env", "jsonata"];

/** The beginning of a number. No path begins so. */
const NUMBER_BEGINS = /^[+＋(]?\p{Nd}/u;

/**
 * Keeps a path from becoming words, and words a path, when the type changes. Node-RED takes the value along. A number stays,
 * since it is no path.
 */
export function keepWordsApart(input: JQuery): void {
  const kept = new Map<boolean, string>();
  let before = input.typedInput("type");
  input.on("typedinputtypechange", () => {
    const now = input.typedInput("type");
    const [were, are] = [WORDS.includes(before), WORDS.includes(now)];
    const boxes = IN_A_BOX.includes(before) && IN_A_BOX.includes(now);
    before = now;
    if (!boxes || were === are || NUMBER_BEGINS.test(input.typedInput("value"))) return;
    kept.set(were, input.typedInput("value"));
    input.typedInput("value", kept.get(are) ?? "");
  });
}

/** Types that can be told from a text, with those that they replace. */
const TYPED = [
  { type: "mustache", looks: (text: string) => text.includes("{{"), replaces: ["str", "msg"] },
  { type: "str", looks: (text: string) => NUMBER_BEGINS.test(text), replaces: ["msg"] },
];

/** Chooses the type that fits what is typed: once `{{` is in it, or a path begins with a digit. Another choice of the user stays. */
export function recognizeType(input: JQuery): void {
  let before: string = input.typedInput("value");
  input.on("change keyup paste", () => {
    const now = input.typedInput("value");
    const typed = TYPED.find(({ looks }) => looks(now) && !looks(before));
    before = now;
    if (!typed?.replaces.includes(input.typedInput("type"))) return;
    input.typedInput("type", typed.type);
    // Where there is no such type, the other one is still there.
    if (input.typedInput("value") !== now) input.typedInput("value", now);
  });
}

/** Suggests the usual path to a user who chooses the message as the source. */
export function suggestPath(input: JQuery, path: string): void {
  input.on("typedinputtypechange", () => {
    const isEmpty = ["", "-", "true", "false"].includes(input.typedInput("value"));
    if (isEmpty && input.typedInput("type") === "msg") input.typedInput("value", path);
  });
}

/** Sets a pair back to its default: a hidden input must not have an effect. */
export function reset(node: EditorNode, property: string): void {
  const { value, type } = absentPair(node, property);
  const input = $(`#node-input-${property}`);
  if (input.val() === "") return;
  input.val(String(value));
  $(`#node-input-${property}Type`).val(type);
}
