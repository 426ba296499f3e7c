import { BuildError } from "./build-error";
import type { Catalogue } from "./catalogue";
import type { NodeProperty } from "./node-properties";

/**
 * The row of one property. Texts come from the catalogue by the property's name: `label.<property>` must be there,
 * `placeholder.<property>` and `hint.<property>` may be.
 * @param icon Font Awesome class, e.g. `fa-phone`
 */
export function row({ property, type, note }: NodeProperty, icon: string | undefined, catalogue: Catalogue): string {
  const label = catalogue.find(`label.${property}`);
  if (!label) throw new BuildError(`has no text "label.${property}" in the catalogue`);
  const placeholder = catalogue.find(`placeholder.${property}`);
  const hint = catalogue.find(`hint.${property}`);
  const id = `node-input-${property}`;
  const attributes = `id="${id}" style="width: 100%"${placeholder ? ` data-i18n="[placeholder]${placeholder}"` : ""}`;
  const input =
    note?.kind === "option"
      ? select(attributes, property, note.choices ?? [], catalogue)
      : `<input type="text" ${attributes}>`;
  return [
    '<div class="form-row telephony-row">',
    `<label for="${id}">${icon ? `<i class="fa fa-fw ${icon}"></i> ` : ""}<span data-i18n="${label}"></span></label>`,
    input,
    ...(type === undefined ? [] : [`<input type="hidden" id="${id}Type">`]),
    ...(hint ? [`<p class="telephony-hint" data-i18n="${hint}"></p>`] : []),
    "</div>",
  ].join("\n");
}

function select(attributes: string, property: string, choices: readonly string[], catalogue: Catalogue): string {
  const options = choices.map((choice) => {
    const text = catalogue.find(`choice.${property}.${choice}`);
    if (!text) throw new BuildError(`has no text "choice.${property}.${choice}" in the catalogue`);
    return `<option value="${choice}" data-i18n="${text}"></option>`;
  });
  return `<select ${attributes}>${options.join("")}</select>`;
}
