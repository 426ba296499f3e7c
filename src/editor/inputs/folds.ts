import { absentPair, inputId, pairOf } from "./pair";

/** Opens the folds of a dialog that hold a value. */
export function openFolds(node: EditorNode): void {
  for (const fold of $<HTMLDetailsElement>(".red-ui-tray-body:last .telephony-fold").get())
    if (hasValue(node, fold)) fold.open = true;
}

function hasValue(node: EditorNode, fold: HTMLElement): boolean {
  const { defaults } = node._def;
  return Object.keys(defaults).some((property) => {
    const isType = property.endsWith("Type") && property.slice(0, -"Type".length) in defaults;
    if (isType || $(fold).find(`#${inputId(node, property)}, #telephony-${property}`).length === 0) return false;
    const given = pairOf(node, property);
    const absent = absentPair(node, property);
    const starts = [absent.value, defaults[property]?.value].map(String);
    return String(given.value) !== "" && (!starts.includes(String(given.value)) || given.type !== absent.type);
  });
}
