import { BuildError } from "./build-error";
import type { Catalogue } from "./catalogue";
import type { NodeProperty } from "./node-properties";

/**
 * The row of one property. Texts come from the catalogue by the property's name: `label.<property>` must be there,
 * so must `choice.<property>.<value>` for every choice; `placeholder.<property>` and `hint.<property>` may be.
 * @param icon Font Awesome class, e.g. `fa-phone`
 */
export function row({ property, note, config }: NodeProperty, icon: string | undefined, catalogue: Catalogue): string {
  const label = catalogue.find(`label.${property}`);
  if (!label) throw new BuildError(`has no text "label.${property}" in the catalogue`);
  for (const choice of note?.choices ?? []) {
    const key = `choice.${property}.${choice}`;
    if (!catalogue.has(key)) throw new BuildError(`has no text "${key}" in the catalogue`);
  }
  const placeholder = catalogue.find(`placeholder.${property}`);
  const hint = catalogue.find(`hint.${property}`);
  const id = `node-input-${property}`;
  // Node-RED looks in the style for the width of what it puts in place of a config node's input.
  const style = config ? ' style="width:100%"' : "";
  const attributes = `id="${id}"${style}${placeholder ? ` data-i18n="[placeholder]${placeholder}"` : ""}`;
  const input =
    note?.kind === "option"
      ? select(attributes, property, note.choices ?? [], catalogue)
      : `<input type="text" ${attributes}>`;
  return [
    '<div class="form-row telephony-row">',
    `<label for="${id}">${icon ? `<i class="fa fa-fw ${icon}"></i> ` : ""}<span data-i18n="${label}"></span></label>`,
    input,
    ...(hint ? [`<p class="telephony-hint" data-i18n="${hint}"></p>`] : []),
    "</div>",
  ].join("\n");
}

function select(attributes: string, property: string, choices: readonly string[], catalogue: Catalogue): string {
  const options = choices.map((choice) => {
    const text = catalogue.find(`choice.${property}.${choice}`);
    return `<option value="${choice}" data-i18n="${text}"></option>`;
  });
  return `<select ${attributes}>${options.join("")}</select>`;
}
