import { rowOf } from "../inputs/input";
import { nodeText } from "../texts";

/** Keeps the label of a number in step with the chosen kind of party: a user, a phone number or a queue. */
export function nameNumber(node: EditorNode, role: "from" | "to"): void {
  const kind = $(`#node-input-${role}Kind`);
  const label = rowOf($(`#node-input-${role}Number`)).find("> label > span");
  if (kind.length === 0 || label.length === 0) return;
  const kinds = node._def.defaults[`${role}Kind`]?.field?.choices ?? [];
  const update = () => {
    const fixed = kind.typedInput("type") === "str" ? kind.typedInput("value") : "";
    const isKnown = kinds.includes(fixed);
    label.removeAttr("data-i18n").text(nodeText(node, isKnown ? `number.${fixed}` : `label.${role}Number`));
  };
  kind.on("change", update);
  update();
}

/** Warns that the other parties do not notice a listener, unless listening is switched off. A message may switch it on. */
export function warnOfListener(): void {
  const input = $("#node-input-spyCall");
  if (input.length === 0) return;
  const update = () => {
    const value = input.typedInput("value");
    const isFixed = input.typedInput("type") === "bool";
    const isOff = isFixed && ["", "false", "0", "off"].includes(value);
    rowOf(input)
      .find(".telephony-hint")
      .toggleClass("telephony-problem", isFixed && !isOff)
      .toggle(!isOff);
  };
  input.on("change", update);
  update();
}
