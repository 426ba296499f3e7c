export function smallButton(attributes: Readonly<Record<string, string>>, press: () => void): JQuery {
  return $("<button>", { type: "button", class: "red-ui-button red-ui-button-small", ...attributes }).on(
    "click",
    press,
  );
}

/** A button of Node-RED's as its dialogs have them. */
export function button(text: string, press: () => void): JQuery {
  return smallButton({ text }, press).removeClass("red-ui-button-small");
}

export function iconButton(icon: string, label: string, press: () => void): JQuery {
  const face = $("<i>", { class: `fa ${icon}`, "aria-hidden": "true" });
  return smallButton({ title: label, "aria-label": label }, press).append(face);
}

/** A text box, named by its label, which it shows while it is empty. */
export function textBox(label: string, value: unknown, attributes: object = {}): JQuery {
  const val = String(value ?? "");
  return $("<input>", { type: "text", "aria-label": label, placeholder: label, ...attributes, val });
}

export function menu(
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
  value: string,
  attributes: object = {},
): JQuery {
  const options = choices.map(([value, text]) => $("<option>", { value, text }));
  return $("<select>", { "aria-label": label, ...attributes })
    .append(options)
    .val(value);
}

/** Asks before something is done that cannot be undone. The answer that changes nothing has the focus. */
export function askFirst(
  area: JQuery,
  text: string,
  [no, yes]: readonly [no: string, yes: string],
  confirmed: () => void,
  closed: () => void = () => {},
): void {
  const close = () => {
    area.empty();
    closed();
  };
  const confirm = () => {
    close();
    confirmed();
  };
  const keep = smallButton({ text: no }, close);
  const line = $("<div>", { class: "telephony-line" }).append(smallButton({ text: yes }, confirm), keep);
  area
    .attr("aria-label", text)
    .empty()
    .append($("<p>", { class: "telephony-hint", text }), line);
  closeByEscape(line, close);
  keep.trigger("focus");
}

/** Keeps the key from closing the dialog of the node. */
export function closeByEscape(element: JQuery, close: () => void): void {
  element.on("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
}
