/** What a menu shows first. */
interface Menu {
  /** CSS class of the menu; the text box has it with `-other`. */
  readonly name: string;
  /** For screen readers. */
  readonly label: string;
  /** The choice that opens the text box. */
  readonly other: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}

/** No value of the flow file: the menu's choice to type another one. */
const OTHER = "\u0000";

/** A menu with the values that are known, and a text box for any other. */
interface KnownOrTyped {
  readonly typed: JQuery;
  value(): string;
}

export function knownOrTyped(line: JQuery, { name, label, other, choices, value }: Menu): KnownOrTyped {
  const isKnown = choices.some((choice) => choice.value === value);
  const options = [...choices, { value: OTHER, label: other }];
  const menu = $("<select>", { class: name, "aria-label": label })
    .append(options.map((choice) => $("<option>", { value: choice.value, text: choice.label })))
    .val(isKnown ? value : OTHER)
    .appendTo(line);
  const typed = $("<input>", { type: "text", class: `${name}-other`, "aria-label": label, val: isKnown ? "" : value });
  typed.toggle(!isKnown).appendTo(line);
  menu.on("change", () => {
    const isTyped = menu.val() === OTHER;
    typed.toggle(isTyped);
    if (isTyped) typed.trigger("focus");
  });
  return { typed, value: () => String(menu.val() === OTHER ? typed.val() : menu.val()) };
}
