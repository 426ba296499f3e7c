import { absentPair, pairOf } from "./pair";
import { typesFor } from "./types";

/**
 * Makes the typed input of a property. An absent pair gets its default first: Node-RED would show it as an empty one, and
 * Done would store that.
 */
export function typedInput(node: EditorNode, property: string): void {
  const pair = shownPair(node, property);
  const input = $(`#node-input-${property}`).val(pair.value);
  pairInput(node, property, input, pair.type, typesFor(node, property, pair));
}

/** Makes the typed input of a pair, and the hidden one in which Node-RED looks for the pair's type. */
export function pairInput(
  node: EditorNode,
  property: string,
  input: JQuery,
  type: string,
  types: readonly (string | TypedInputType)[],
): void {
  const typeField = $("<input>", { type: "hidden", id: `node-input-${property}Type` })
    .val(type)
    .insertBefore(input);
  wideInput(input, { default: type, types, typeField });
  input.on("typedinputtypechange", () => suggest(node, property, input));
}

/** Makes a typed input as wide as its row, and ties the row's label to it. */
export function wideInput(input: JQuery, options: TypedInputOptions): void {
  // Node-RED reads the width from the style, else the input keeps the width that it has now.
  input.css("width", "100%").typedInput(options);
  name(input);
}

/** Text of one line, whatever the flow file holds: an object as its JSON, an expression with its line breaks as tabs. */
function shownPair(node: EditorNode, property: string): { value: string; type: string } {
  const { value, type } = pairOf(node, property);
  if (typeof value === "object" && value !== null)
    return { value: JSON.stringify(value), type: type === "list" ? type : "json" };
  const text = String(value ?? "");
  return { value: type === "jsonata" ? text.replace(/\n/g, "\t") : text, type };
}

/** Ties the row's label to what Node-RED shows in place of the input: a text box, or the button of a menu. */
function name(input: JQuery): void {
  const id = input.attr("id");
  const label = rowOf(input).children("label").attr("id", `${id}-label`);
  const container = input.next(".red-ui-typedInput-container");
  container.find(".red-ui-typedInput-input").attr("id", `${id}-shown`);
  container.find("button").attr("aria-describedby", `${id}-label`);
  label.attr("for", `${id}-shown`).on("click", () => {
    container.find("input:visible, button.red-ui-typedInput-option-trigger:visible").first().trigger("focus");
  });
}

export function rowOf(input: JQuery): JQuery {
  return input.closest(".telephony-row");
}

/** Somebody who turns to the message is offered the place where the field is looked for by default. */
function suggest(node: EditorNode, property: string, input: JQuery): void {
  const pair = absentPair(node, property);
  const value = input.typedInput("value");
  const empty = value === "" || value === "true" || value === "false";
  if (empty && input.typedInput("type") === "msg" && pair.type === "msg") input.typedInput("value", String(pair.value));
}

/** Sets a pair back to its default: what is not shown must not say anything. */
export function reset(node: EditorNode, property: string): void {
  const { value, type } = absentPair(node, property);
  const input = $(`#node-input-${property}`);
  if (input.val() === "") return;
  input.val(String(value));
  $(`#node-input-${property}Type`).val(type);
}
