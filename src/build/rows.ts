import { LIST_KINDS } from "../fields/note";
import type { NodeProperty } from "../runtime/node-properties";
import type { NodeDeclaration } from "../runtime/register";
import { type Catalogue, findKey } from "./catalogue";
import { BuildError } from "./sources";

/** Name of the choice "" in the catalogue. */
const NO_CHOICE = "empty";

/** What Node-RED puts before the ids of a dialog's inputs. */
export function prefixOf({ kind }: NodeDeclaration): string {
  return kind === "tenant" ? "node-config-input" : "node-input";
}

/**
 * The row of one property in a dialog. Its texts are found in the catalogue by the property's name: `label.<property>` and
 * `choice.<property>.<value>` for every choice, or `check.<property>` for a checkbox, are needed; `placeholder.<property>` and `hint.<property>` are optional.
 * @param icon Font Awesome class, e.g. `fa-phone`
 */
export function row(entry: NodeProperty, node: NodeDeclaration, icon: string, catalogue: Catalogue): string {
  const { property, type, setting, field, config } = entry;
  const i18n = (key: string, target = "") => `data-i18n="${target}${need(key)}"`;
  const has = (key: string) => findKey(catalogue, node.type, key) !== undefined;
  // A list has an id of its own: Node-RED would overwrite it with the text of an input.
  const isList = field !== undefined && LIST_KINDS.includes(field.kind);
  const id = `${isList ? "telephony" : prefixOf(node)}-${property}`;
  const choices = setting?.kind === "option" ? [...new Set([setting.default, ...setting.choices])] : [];
  const input = setting?.kind === "option" ? select() : setting?.kind === "boolean" ? checkbox() : textBox();
  const lines = [
    `<label for="${id}"><i class="fa fa-fw ${icon}"></i> <span ${i18n(`label.${property}`)}></span></label>`,
    // Node-RED keeps the type of a typed input there.
    ...(type === undefined ? [] : [`<input type="hidden" id="${prefixOf(node)}-${property}Type">`]),
    input,
    ...(field?.kind === "actions" ? [] : hint()),
  ];
  const list = `<div class="form-row" id="${id}-list">${field?.kind === "actions" ? hint().join("") : ""}</div>`;
  return [
    '<div class="form-row telephony-row">',
    ...lines.map((line) => `  ${line}`),
    "</div>",
    ...(isList ? [list] : []),
  ].join("\n");

  function textBox(): string {
    return `<input type="text" id="${id}"${attributes()}>`;
  }

  /** What the mark means stands beside the box: `check.<property>`. */
  function checkbox(): string {
    const label = `<label class="telephony-check" for="${id}">`;
    return `<div>${label}<input type="checkbox" id="${id}"> <span ${i18n(`check.${property}`)}></span></label></div>`;
  }

  function select(): string {
    const options = choices.map((choice) => {
      return `    <option value="${choice}" ${i18n(`choice.${property}.${choice || NO_CHOICE}`)}></option>`;
    });
    return [`<select id="${id}">`, ...options, "  </select>"].join("\n");
  }

  function attributes(): string {
    // Node-RED looks in the style for the width of what replaces a config node's input.
    if (config) return ' style="width:100%"';
    return has(`placeholder.${property}`) ? ` ${i18n(`placeholder.${property}`, "[placeholder]")}` : "";
  }

  /** The hint, or the place of the hint that belongs to the choice. */
  function hint(): string[] {
    if (has(`hint.${property}`)) return [`<p class="telephony-hint" ${i18n(`hint.${property}`)}></p>`];
    const perChoice = `<p class="telephony-hint" id="telephony-hint-${property}" aria-live="polite"></p>`;
    return has(`hint.${property}.${choices[0] || NO_CHOICE}`) ? [perChoice] : [];
  }

  function need(key: string): string {
    const found = findKey(catalogue, node.type, key);
    if (found === undefined) throw new BuildError(`the catalogue has no text "${node.type}.${key}" or "${key}"`);
    return found;
  }
}
