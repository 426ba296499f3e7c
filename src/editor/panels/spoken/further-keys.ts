import type { ActionRow } from "../../../fields/kinds/action-row";
import { nameExpandButton } from "../../inputs/input";
import { translate } from "../../texts";
import { smallButton, textBox } from "../controls";

/** The keys of a row that have fields of their own. */
const SHOWN = ["action", "text", "textType", "voice", "speed", "loop"];

/** Makes a button that opens the field of the further keys, as JSON; a row that has some shows them. */
export function furtherKeys(line: JQuery, item: JQuery, row: ActionRow) {
  const before = asJson(row);
  const box = $("<div>")
    .appendTo(item)
    .toggle(before !== "");
  const look = {
    class: "telephony-spoken-more",
    style: "width: 100%",
    placeholder: translate("spoken.more.placeholder"),
  };
  const input = textBox(translate("spoken.more.label"), before, look).appendTo(box);
  input.typedInput({ default: "json", types: ["json"] });
  nameExpandButton(input);
  $("<p>", { class: "telephony-hint", text: translate("spoken.more.hint") }).appendTo(box);
  const button = smallButton({ text: translate("spoken.more.label") }, () => {
    const isOpen = button.attr("aria-expanded") === "false";
    button.attr("aria-expanded", String(isOpen));
    box.toggle(isOpen);
    if (isOpen) input.typedInput("focus");
  });
  button
    .attr("aria-expanded", String(before !== ""))
    .addClass("telephony-spoken-open-more")
    .appendTo(line);
  return {
    input,
    /** The row with the keys of the dialog, unchanged where they are those of the flow file. */
    addTo(read: ActionRow): ActionRow {
      const text = input.typedInput("value").trim();
      if (text === before) return read;
      const shown = Object.fromEntries(Object.entries(read).filter(([key]) => SHOWN.includes(key)));
      return text === "" ? shown : { ...shown, more: parsed(text) };
    },
  };
}

/** A hand-written row may have further keys beside the others as well. */
function asJson(row: ActionRow): string {
  const { more, ...others } = row;
  if (typeof more === "string" && more.trim() !== "") return more.trim();
  const beside = Object.entries(others).filter(([key]) => !SHOWN.includes(key));
  const keys = { ...(typeof more === "object" && more), ...Object.fromEntries(beside) };
  return Object.keys(keys).length > 0 ? JSON.stringify(keys) : "";
}

/** Reads JSON. Other text is stored as it is, and reported by the dialog and for every message. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
