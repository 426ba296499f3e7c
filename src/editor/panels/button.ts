/** A small button of Node-RED's. */
export function smallButton(attributes: Readonly<Record<string, string>>, press: () => void): JQuery {
  return $("<button>", { type: "button", class: "red-ui-button red-ui-button-small", ...attributes }).on(
    "click",
    press,
  );
}

/** A small button with an icon in place of a text. */
export function iconButton(icon: string, label: string, press: () => void): JQuery {
  const face = $("<i>", { class: `fa ${icon}`, "aria-hidden": "true" });
  return smallButton({ title: label, "aria-label": label }, press).append(face);
}
