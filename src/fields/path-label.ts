import type { TextKey } from "./text-key";
import type { Params } from "./word";

/** The labels of the parts of an entry, as the lists of the dialogs name them. */
const PARTS: Readonly<Record<string, TextKey>> = {
  action: "spoken.action.label",
  text: "spoken.text.label",
  voice: "spoken.voice",
  speed: "spoken.speed.label",
  loop: "spoken.loop.label",
  more: "spoken.more.label",
  open: "week.open",
  close: "week.close",
  date: "exception.from",
  from: "exception.from",
  to: "exception.to",
  name: "exception.name",
  number: "number.external",
  type: "label.toKind",
};

/**
 * The label of a part of a field: `[2].speed` of "Say or play" is "Say or play, row 3: Speed".
 * @param label of the field itself
 * @param path from the field to the part; empty for the field itself
 */
export function pathLabel(label: string, path: string, text: (key: TextKey, params?: Params) => string): string {
  let named = label;
  // The index of an opening is left out: it is shown in the row of its day or exception.
  const shown = path.replace(/\.hours\[\d+\]|^\.days(?=\[)/, "");
  for (const [, index, part = ""] of shown.matchAll(/\[(\d+)\]|\.([^.[]+)/g)) {
    if (index !== undefined) named = text("valid.row", { field: named, row: Number(index) + 1 });
    else named = text("pattern.named", { name: named, text: partLabel(part, text) });
  }
  return named;
}

/** The label of a part of an entry, or the part's own name. */
export function partLabel(part: string, text: (key: TextKey) => string): string {
  return PARTS[part] === undefined ? part : text(PARTS[part]);
}
