import { isListKind, KINDS } from "../fields/kinds";
import type { NodeProperty } from "../runtime/node-properties";
import type { NodeDeclaration } from "../runtime/register";
import type { Catalogue } from "../texts/catalogue";
import { BLOCKS } from "./blocks";
import { findKey } from "./catalogue";
import { ICONS } from "./icons";
import { BuildError } from "./sources";

/** Name of the choice "" in the catalogue. */
const NO_CHOICE = "empty";

/** The rows at the beginning of every dialog. */
const FIRST = ["name", "tenant"];

/** The rows at the end of an action's: what keeps it from being performed twice, when it is performed, and its result. */
const ONCE = ["onceKey", "onceAgain", "onceFor", "onceScope"];
const FOLDED = ["notBefore", "notAfter", "urgent", "anytime", "target"];

/** Returns what Node-RED puts before the ids of a dialog's inputs. */
export function prefixOf({ kind }: NodeDeclaration): string {
  return kind === "tenant" ? "node-config-input" : "node-input";
}

/**
 * The rows and folds of a dialog in their order, by name.
 * @throws BuildError
 */
export function layout(
  node: NodeDeclaration,
  properties: readonly NodeProperty[],
  catalogue: Catalogue,
): ReadonlyMap<string, string> {
  const byName = new Map(properties.map((entry) => [entry.property, entry]));
  const last = node.kind === "action" ? [...ONCE, ["conditions", ...FOLDED]] : [];
  const common = [...FIRST, ...last.flat()];
  const own = node.rows ?? [...byName.keys()].filter((name) => !common.includes(name));
  for (const name of own.flatMap((row) => (typeof row === "string" ? row : row.slice(1))))
    if (!byName.has(name) && !BLOCKS.has(name)) throw new BuildError(`declares a row of an unknown property "${name}"`);
  const rows = new Map<string, string>();
  for (const row of [...FIRST, ...own, ...last]) {
    const [name = "", ...inside] = [row].flat();
    const html = inside.length > 0 ? fold(name, inside) : rowNamed(name);
    // A row that the node declares itself is where the node has it.
    rows.delete(name);
    if (html !== undefined) rows.set(name, html);
  }
  return rows;

  function rowNamed(name: string): string | undefined {
    const entry = byName.get(name);
    return BLOCKS.get(name) ?? (entry && rowOf(entry, node, catalogue));
  }

  /** Puts rows into a fold with a title; a single one needs none. The two ends of a time are beside one another. */
  function fold(name: string, inside: readonly string[]): string | undefined {
    const shown = inside.flatMap((each) => rowNamed(each) ?? []);
    if (shown.length < 2) return shown[0];
    if (inside[0] === "notBefore" && byName.has("notBefore") && byName.has("notAfter"))
      shown.splice(0, 2, `<div class="telephony-beside">${shown.slice(0, 2).join("\n")}</div>`);
    return `<details class="telephony-fold"><summary data-i18n="fold.${name}"></summary>\n${shown.join("\n")}</details>`;
  }
}

/**
 * The row of one property in a dialog. Its texts are found in the catalogue by the property's name: `label.<property>` and
 * `choice.<property>.<value>` for every choice, or `check.<property>` for a checkbox, are needed; `placeholder.<property>` and `hint.<property>` are optional.
 */
function rowOf(entry: NodeProperty, node: NodeDeclaration, catalogue: Catalogue): string {
  const { property, type, setting, field, config } = entry;
  const icon = node.icons?.[property] ?? ICONS[property] ?? KINDS[field?.kind ?? "any"].icon ?? "fa-pencil";
  const has = (key: string) => findKey(catalogue, node.type, key) !== undefined;
  // A list has an id of its own: Node-RED would overwrite it with the text of an input.
  const isList = field !== undefined && isListKind(field.kind);
  const id = `${isList ? "telephony" : prefixOf(node)}-${property}`;
  const choices = setting?.choices ? [...new Set([setting.default, ...setting.choices])] : [];
  const lines = [
    `<label for="${id}"><i class="fa fa-fw ${icon}"></i> <span data-i18n="label.${property}"></span></label>`,
    // Node-RED keeps the type of a typed input there.
    ...(type === undefined ? [] : [`<input type="hidden" id="${prefixOf(node)}-${property}Type">`]),
    setting?.choices ? select() : typeof setting?.default === "boolean" ? checkbox() : textBox(),
    ...(field?.kind === "actions" ? [] : hint()),
  ];
  const row = `<div class="form-row telephony-row">\n${lines.join("\n")}\n</div>`;
  const below = field?.kind === "actions" ? hint().join("") : "";
  return isList ? `${row}\n<div class="form-row" id="${id}-list">${below}</div>` : row;

  function textBox(): string {
    // Node-RED looks in the style for the width of what replaces a config node's input.
    const width = config ? ' style="width:100%"' : "";
    const placeholder = `placeholder.${property}`;
    return `<input type="text" id="${id}"${width}${!config && has(placeholder) ? ` data-i18n="[placeholder]${placeholder}"` : ""}>`;
  }

  /** Makes a check box. The meaning of its mark stands beside it: `check.<property>`. */
  function checkbox(): string {
    const text = `<span data-i18n="check.${property}"></span>`;
    return `<div><label class="telephony-check" for="${id}"><input type="checkbox" id="${id}"> ${text}</label></div>`;
  }

  function select(): string {
    const options = choices.map((choice) => {
      return `<option value="${choice}" data-i18n="choice.${property}.${choice || NO_CHOICE}"></option>`;
    });
    return [`<select id="${id}">`, ...options, "</select>"].join("\n");
  }

  /** The hint, or the place of the hint that belongs to the choice. */
  function hint(): string[] {
    if (has(`hint.${property}`)) return [`<p class="telephony-hint" data-i18n="hint.${property}"></p>`];
    const perChoice = `<p class="telephony-hint" id="telephony-hint-${property}" aria-live="polite"></p>`;
    return has(`hint.${property}.${choices[0] || NO_CHOICE}`) ? [perChoice] : [];
  }
}
