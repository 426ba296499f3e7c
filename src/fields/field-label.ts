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
 * A field as a reader of its dialog knows it: `actions[2].speed` is "Say or play, row 3: Speed".
 * @param rows the fields that the dialog has rows for: the name of each, and the property of its row
 * @param labelOf a property of the node, or of its tenant
 * @returns `undefined` for a field without a label
 */
export function fieldLabel(
  field: string,
  rows: readonly (readonly [name: string, property: string])[],
  labelOf: (property: string) => string | undefined,
  text: (key: TextKey, params?: Params) => string,
): string | undefined {
  const row = rows.find(([name]) => field.startsWith(name) && /^([.[]|$)/.test(field.slice(name.length)));
  const [first = field] = /^[^.[]+/.exec(field) ?? [];
  const [name, property] = row ?? [first, first];
  let label = labelOf(property);
  if (label === undefined) return undefined;
  // The index of an opening is left out: it is shown in the row of its day or exception.
  const shown = field.slice(name.length).replace(/\.hours\[\d+\]|^\.days(?=\[)/, "");
  for (const [, index, part = ""] of shown.matchAll(/\[(\d+)\]|\.([^.[]+)/g)) {
    if (index !== undefined) label = text("valid.row", { field: label, row: Number(index) + 1 });
    else label = text("pattern.named", { name: label, text: partLabel(part, text) });
  }
  return label;
}

/** The label of a part of an entry, or the part's own name. */
export function partLabel(part: string, text: (key: TextKey) => string): string {
  return PARTS[part] === undefined ? part : text(PARTS[part]);
}
