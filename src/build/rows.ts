import { BuildError } from "./build-error";
import type { Catalogue } from "./catalogue";
import type { NodeProperty } from "./node-properties";

/**
 * The row of one property. Texts come from the catalogue by the property's name: `label.<property>` must be there,
 * so must `choice.<property>.<value>` for every choice; `placeholder.<property>` and `hint.<property>` may be.
 * @param icon Font Awesome class, e.g. `fa-phone`
 */
export function row(
  { property, setting, field, config }: NodeProperty,
  icon: string | undefined,
  catalogue: Catalogue,
): string {
  const label = `label.${property}`;
  if (!catalogue.has(label)) throw new BuildError(`has no text "${label}" in the catalogue`);
  const options = setting?.kind === "option" ? setting.choices : [];
  for (const choice of [...options, ...(field?.choices ?? [])]) {
    const key = `choice.${property}.${choice}`;
    if (!catalogue.has(key)) throw new BuildError(`has no text "${key}" in the catalogue`);
  }
  const placeholder = `placeholder.${property}`;
  const hint = `hint.${property}`;
  const id = `node-input-${property}`;
  // Node-RED looks in the style for the width of what it puts in place of a config node's input.
  const style = config ? ' style="width:100%"' : "";
  const attributes = `id="${id}"${style}${catalogue.has(placeholder) ? ` data-i18n="[placeholder]${placeholder}"` : ""}`;
  const input =
    setting?.kind === "option" ? select(attributes, property, options) : `<input type="text" ${attributes}>`;
  return [
    '<div class="form-row telephony-row">',
    `<label for="${id}">${icon ? `<i class="fa fa-fw ${icon}"></i> ` : ""}<span data-i18n="${label}"></span></label>`,
    input,
    ...(catalogue.has(hint) ? [`<p class="telephony-hint" data-i18n="${hint}"></p>`] : []),
    "</div>",
  ].join("\n");
}

function select(attributes: string, property: string, choices: readonly string[]): string {
  const options = choices.map(
    (choice) => `<option value="${choice}" data-i18n="choice.${property}.${choice}"></option>`,
  );
  return `<select ${attributes}>${options.join("")}</select>`;
}
