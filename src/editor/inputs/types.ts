import type { Pair } from "../../fields";
import { KINDS } from "../../fields/kinds";
import { columnAt } from "../../fields/sources/column";
import { MESSAGE_TYPES } from "../../fields/sources/property";
import { nodeText, translate } from "../texts";

type Offer = string | TypedInputType;

/** Types that are not Node-RED's own, or have another label here. */
const LOOKS = {
  /** Node-RED calls it a string. */
  str: { name: "source.text", icon: "red/images/typedInput/az.svg" },
  /** A template over the message. */
  mustache: { name: "source.mustache", icon: "fa fa-file-text-o", expand: expandText },
  /** A list in the flow file, shown below the input. */
  list: { name: "source.list", icon: "fa fa-list-ol", hasValue: false },
  /** The address of a calendar. */
  url: { name: "source.calendar", icon: "fa fa-calendar" },
} as const;

/** A type with the label and the icon that it has in our dialogs. */
export function ownType(value: keyof typeof LOOKS): TypedInputType {
  const { name, ...look } = LOOKS[value];
  return { ...look, value, label: translate(name) };
}

function isOwn(type: string): type is keyof typeof LOOKS {
  return type in LOOKS;
}

/** Whether a property, or the text of an action, is read of messages that have a row, whose columns may have any name. */
export function readsRows(node: EditorNode | undefined, property = ""): boolean {
  return node?._def.kind === "list" && property !== "list";
}

/** Makes Node-RED's type for a path of the message, which here may name a column. */
export function columnType(): TypedInputType {
  const validate = (value: string) =>
    columnAt(value) !== undefined || RED.utils.validateTypedProperty(value, "msg", {});
  const value = "msg";
  return { value, label: `${value}.`, validate };
}

/** The message keeps its properties: no other one receives the answer. */
export function nowhere(): TypedInputType {
  const label = translate("source.nowhere");
  return { value: "nowhere", label, icon: "fa fa-ban", options: [{ value: "-", label }] };
}

/** The types that a dialog offers for a field, and the type that the node has if it is another. */
export function typesFor(node: EditorNode, property: string, current: Pair): Offer[] {
  const all = offersOf(node, property, current);
  // A tenant and a trigger have no message.
  const offers = node._def.inputs ? all : all.filter((offer) => !MESSAGE_TYPES.includes(typeOf(offer)));
  const known = offers.some((offer) => typeOf(offer) === current.type);
  return known ? offers : [...offers, foreign(current.type)];
}

function typeOf(offer: Offer): string {
  return typeof offer === "string" ? offer : offer.value;
}

function offersOf(node: EditorNode, property: string, current: Pair): Offer[] {
  const { kind = "text" } = node._def.defaults[property]?.field ?? {};
  return KINDS[kind].sources.map(
    (source) => OWN[source]?.(node, property, current) ?? (isOwn(source) ? ownType(source) : source),
  );
}

/** Types that depend on the property. */
const OWN: Readonly<Record<string, (node: EditorNode, property: string, current: Pair) => TypedInputType | undefined>> =
  {
    msg: (node, property) => (readsRows(node, property) ? columnType() : undefined),
    date: now,
    choice: choiceType,
    bool: checkbox,
  };

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

/** Makes Node-RED's type for the current time, without its formats: a gate needs an instant, not a text. */
function now(node: EditorNode): TypedInputType {
  return { value: "date", label: nodeText(node, "source.now"), icon: "fa fa-clock-o", hasValue: false };
}

function notGiven(node: EditorNode, property: string): string {
  const { kind, default: defaultChoice } = node._def.defaults[property]?.field ?? {};
  // Without an override, the schedule decides.
  if (kind === "override") return nodeText(node, `choice.${property}.schedule`);
  if (defaultChoice === undefined) return translate("choice.none");
  return translate("choice.default", { value: nodeText(node, `choice.${property}.${String(defaultChoice)}`) });
}

/** A fixed boolean, as a checkbox. */
function checkbox(node: EditorNode, property: string): TypedInputType {
  const text = nodeText(node, `check.${property}`);
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
  if (type === "str") return ownType(type);
  return ["num", "bool", "json", "date", "env"].includes(type) ? type : { value: type, label: type };
}

function expandText(this: TypedInputWidget): void {
  RED.editor.editText({ value: this.value(), focus: true, complete: (value) => this.value(value) });
}
