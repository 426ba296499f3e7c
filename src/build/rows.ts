import { type Catalogue, findKey } from "./catalogue";
import type { NodeProperty } from "./node-properties";
import { BuildError } from "./sources";

const LISTS = ["actions", "days", "schedule", "exceptions"];

/**
 * The row of one property in a dialog. Its texts are found in the catalogue by the property's name: `label.<property>` and
 * `choice.<property>.<value>` for every choice are needed; `placeholder.<property>` and `hint.<property>` are optional.
 * @param icon Font Awesome class, e.g. `fa-phone`
 */
export function row(entry: NodeProperty, type: string, icon: string, catalogue: Catalogue): string {
  const { property, type: pairType, setting, field, config } = entry;
  const i18n = (key: string, target = "") => `data-i18n="${target}${need(key)}"`;
  const has = (key: string) => findKey(catalogue, type, key) !== undefined;
  // A list has an id of its own: Node-RED would overwrite it with the text of an input.
  const isList = field !== undefined && LISTS.includes(field.kind);
  const id = `${isList ? "telephony" : "node-input"}-${property}`;
  // Node-RED looks in the style for the width of what replaces a config node's input.
  const style = config ? ' style="width:100%"' : "";
  const placeholder = has(`placeholder.${property}`) ? ` ${i18n(`placeholder.${property}`, "[placeholder]")}` : "";
  const hint = has(`hint.${property}`) ? `<p class="telephony-hint" ${i18n(`hint.${property}`)}></p>` : "";
  const choices = setting?.kind === "option" ? setting.choices : (field?.choices ?? []);
  const options = choices.map(
    (choice) => `    <option value="${choice}" ${i18n(`choice.${property}.${choice}`)}></option>`,
  );
  const input =
    setting?.kind === "option"
      ? [`<select id="${id}"${style}>`, ...options, "  </select>"].join("\n")
      : `<input type="text" id="${id}"${style}${placeholder}>`;
  return [
    '<div class="form-row telephony-row">',
    `  <label for="${id}"><i class="fa fa-fw ${icon}"></i> <span ${i18n(`label.${property}`)}></span></label>`,
    // Node-RED keeps the type of a typed input there.
    ...(pairType === undefined ? [] : [`  <input type="hidden" id="node-input-${property}Type">`]),
    `  ${input}`,
    ...(hint && field?.kind !== "actions" ? [`  ${hint}`] : []),
    "</div>",
    ...(isList
      ? [`<div class="form-row" id="${id}-list">${field?.kind === "actions" ? `<ol></ol>${hint}` : ""}</div>`]
      : []),
  ].join("\n");

  function need(key: string): string {
    const found = findKey(catalogue, type, key);
    if (found === undefined) throw new BuildError(`the catalogue has no text "${type}.${key}" or "${key}"`);
    return found;
  }
}

/** The button that shows a node's request, and the place where it is shown. */
export const requestRow = `
<div class="form-row telephony-request" id="telephony-request">
  <button type="button" class="red-ui-button" aria-expanded="false">
    <i class="fa fa-eye" aria-hidden="true"></i> <span data-i18n="request.show"></span>
  </button>
  <div hidden>
    <div role="status"></div>
    <pre tabindex="0" data-i18n="[aria-label]request.label"></pre>
    <p class="telephony-hint" data-i18n="request.hint"></p>
  </div>
</div>
`.trim();
