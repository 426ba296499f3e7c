import type { Pair } from "../../fields";
import { MESSAGE_TYPES } from "../../fields/sources/property";
import { nodeText, translate } from "../texts";

type Kind = NonNullable<EditorProperty["field"]>["kind"];
type Offer = string | TypedInputType;

/** The sources of any value. */
const FROM_MESSAGE = ["msg", "flow", "global"] as const;

/** A Mustache template over the message. Node-RED has no such type. */
export function mustache(): TypedInputType {
  return { value: "mustache", label: translate("source.mustache"), icon: "fa fa-file-text-o", expand: expandText };
}

/** A text of the flow file. Node-RED calls it a string. */
export function text(): TypedInputType {
  return { value: "str", label: translate("source.text"), icon: "red/images/typedInput/az.svg" };
}

/** A list in the flow file, shown below the input. */
function listed(): TypedInputType {
  return { value: "list", label: translate("source.list"), icon: "fa fa-list-ol", hasValue: false };
}

/** The address of a calendar. */
function calendar(): TypedInputType {
  return { value: "url", label: translate("source.calendar"), icon: "fa fa-calendar" };
}

/** The message keeps its properties: no other one receives the answer. */
export function nowhere(): TypedInputType {
  const label = translate("source.nowhere");
  return { value: "nowhere", label, icon: "fa fa-ban", options: [{ value: "-", label }] };
}

/** The types that a dialog offers for a field, and the type that the node has if it is another. */
export function typesFor(node: EditorNode, property: string, current: Pair): Offer[] {
  const note = node._def.defaults[property]?.field;
  const all = offersOf(node, property, note?.kind ?? "text", current);
  const offers = node._def.inputs === 0 ? all.filter((offer) => !MESSAGE_TYPES.includes(typeOf(offer))) : all;
  const known = offers.some((offer) => typeOf(offer) === current.type);
  return known ? offers : [...offers, foreign(current.type)];
}

function typeOf(offer: Offer): string {
  return typeof offer === "string" ? offer : offer.value;
}

function offersOf(node: EditorNode, property: string, kind: Kind, current: Pair): Offer[] {
  switch (kind) {
    case "choice":
    case "override":
      return [choiceType(node, property, current), ...FROM_MESSAGE, "jsonata", "env"];
    case "boolean":
      return [checkbox(nodeText(node, `check.${property}`)), ...FROM_MESSAGE, "jsonata", "env"];
    case "positiveInteger":
      return ["num", ...FROM_MESSAGE, "jsonata", "env"];
    case "instant":
      return [...FROM_MESSAGE, text(), "jsonata", "env"];
    case "days":
      return [listed(), ...FROM_MESSAGE, "json", "jsonata"];
    case "schedule":
      return [listed(), ...FROM_MESSAGE, "json", "jsonata", "env"];
    case "exceptions":
      // A tenant has no message.
      if (node.type === "telephony-tenant") return [listed(), calendar(), "flow", "global", "env", "json"];
      return [listed(), calendar(), ...FROM_MESSAGE, "json", "jsonata", "env"];
    case "phoneList":
      return [listed(), "flow", "global", "env", "json"];
    case "moment":
      return [now(node), ...FROM_MESSAGE, text(), "jsonata", "env"];
    case "zone":
      return [text(), "env", "flow", "global", "msg", "jsonata"];
    case "actions":
    case "list":
    case "people":
      return [listed(), ...FROM_MESSAGE, "json", "jsonata"];
    default:
      return [...FROM_MESSAGE, text(), mustache(), "jsonata", "env"];
  }
}

/** The choices of a field, stored as `str`. A value that is none of them is kept. */
function choiceType(node: EditorNode, property: string, current: Pair): TypedInputType {
  const note = node._def.defaults[property]?.field;
  const choices = note?.choices ?? [];
  const options = choices.map((choice) => ({ value: choice, label: nodeText(node, `choice.${property}.${choice}`) }));
  const value = String(current.value ?? "");
  const nothing = { value: "", label: notGiven(node, property) };
  const isRequired = note?.required || Object.values(note?.modes ?? {}).some((mode) => mode.required);
  if (note?.kind === "override") options.unshift(nothing);
  else if (!isRequired || (current.type === "str" && value === "")) options.push(nothing);
  if (current.type === "str" && !options.some((option) => option.value === value))
    options.push({ value, label: value });
  return { value: "str", label: translate("source.choice"), icon: "fa fa-check-square-o", options };
}

/** Node-RED's type for the current time, without its formats: a gate needs an instant, not a text. */
function now(node: EditorNode): TypedInputType {
  return { value: "date", label: nodeText(node, "source.now"), icon: "fa fa-clock-o", hasValue: false };
}

function notGiven(node: EditorNode, property: string): string {
  const { kind, default: defaultChoice } = node._def.defaults[property]?.field ?? {};
  // Without an override, the schedule decides.
  if (kind === "override") return nodeText(node, `choice.${property}.schedule`);
  if (defaultChoice === undefined) return translate("choice.none");
  return translate("choice.default", { value: nodeText(node, `choice.${property}.${defaultChoice}`) });
}

/** A fixed boolean, as a checkbox. */
function checkbox(text: string): TypedInputType {
  return {
    value: "bool",
    label: translate("source.fixed"),
    icon: "red/images/typedInput/bool.svg",
    valueLabel(container, value) {
      const { input } = this;
      const checked = ["true", "1", "on"].includes(value.trim());
      if (!checked && !["", "false", "0", "off"].includes(value.trim())) input.val("false");
      const box = $("<input>", { type: "checkbox", prop: { checked, indeterminate: value === "" } });
      $("<label>", { class: "telephony-check" }).append(box, $("<span>", { text })).appendTo(container);
      box.on("change", () => {
        input.val(String(box.prop("checked"))).trigger("change");
      });
    },
  };
}

/** A type that only a hand-written flow has here. Node-RED knows its own types by name. */
function foreign(type: string): Offer {
  if (type === "str") return text();
  return ["num", "bool", "json", "date", "env"].includes(type) ? type : { value: type, label: type };
}

function expandText(this: TypedInputWidget): void {
  RED.editor.editText({ value: this.value(), focus: true, complete: (value) => this.value(value) });
}
