import { toBoolean } from "../../fields";
import { pairOf } from "./pair";

const LONGEST = 24;

/** A field's value for a label on the canvas; empty unless it is the same for every message. */
export function fixedValue(node: EditorNode, property: string): string {
  const { value, type } = pairOf(node, property);
  if (!["str", "num", "bool"].includes(type) || typeof value === "object") return "";
  const text = String(value).trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Whether a boolean is true for every message, in any spelling of the flow file. */
export function isAlwaysSet(node: EditorNode, property: string): boolean {
  try {
    return toBoolean(fixedValue(node, property), property) === true;
  } catch {
    return false;
  }
}
