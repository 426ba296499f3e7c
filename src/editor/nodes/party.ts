import { rowOf } from "../inputs/input";
import { words } from "../words";

/** Lets the number's label say what the chosen kind of party makes of it: a user, a phone number, a queue. */
export function nameNumber(node: EditorNode, role: "from" | "to"): void {
  const kind = $(`#node-input-${role}Kind`);
  const label = rowOf($(`#node-input-${role}Number`)).find("> label > span");
  if (kind.length === 0 || label.length === 0) return;
  const tell = () => {
    const fixed = kind.typedInput("type") === "str" ? kind.typedInput("value") : "";
    label.removeAttr("data-i18n").text(words(node, fixed === "" ? `label.${role}Number` : `number.${fixed}`));
  };
  kind.on("change", tell);
  tell();
}
