import { toBoolean } from "../../fields";
import { pairOf } from "./pair";

const LONGEST = 24;

/** A field's value where it is the same for every message, for a label on the canvas. */
export function fixedValue(node: EditorNode, property: string): string {
  const { value, type } = pairOf(node, property);
  if (!["str", "num", "bool"].includes(type) || typeof value === "object") return "";
  const text = String(value).trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Whether a flag is set for every message, however the flow file spells it. */
export function isAlwaysSet(node: EditorNode, property: string): boolean {
  try {
    return toBoolean(fixedValue(node, property), property) === true;
  } catch {
    return false;
  }
}
