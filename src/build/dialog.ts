import { type NodeProperty, nodeProperties } from "../runtime/node-properties";
import type { NodeDeclaration } from "../runtime/register";
import { BLOCK_NAMES, block, request } from "./blocks";
import { type Catalogue, findKey } from "./catalogue";
import { conditionRows } from "./default-dialog";
import { prefixOf, row } from "./rows";
import { BuildError } from "./sources";

const MARKS = ["{{defaults}}", "{{row}}", "{{conditions}}", ...BLOCK_NAMES.map((name) => `{{${name}}}`)];
const MARK = /^([ \t]*)(.*?)\{\{\s*(\w+)\s*([\s\S]*?)\s*\}\}/gm;

/**
 * Expands the marks in the source of a dialog:
 * - `{{defaults}}`: the properties of the node. Start values of a node from the palette may follow as JSON members.
 * - `{{row toNumber fa-phone}}`: the row of a property, with an icon.
 * - `{{conditions}}`: what actions have in common: rows, in a fold where conditions are among them, and the button that
 *   shows the request.
 * - `{{hours}}`, `{{preview}}`, `{{previewAndNext}}`, `{{caller}}`, `{{spokenDefaults}}`: shared blocks, see blocks.ts.
 * The keys in `data-i18n` become full keys: the node's own text, else the shared one.
 * @throws BuildError
 */
export function dialog(
  html: string,
  node: NodeDeclaration,
  catalogue: Catalogue,
  properties: readonly NodeProperty[] = nodeProperties(node),
): string {
  const expanded = expand(withKeys(expand(html, composed), node.type, catalogue), replacement);
  const stray = /\{\{.*/.exec(expanded);
  if (stray) throw new BuildError(`cannot read the mark ${stray[0]}`);
  for (const { property } of properties)
    if (![prefixOf(node), "telephony"].some((prefix) => expanded.includes(`id="${prefix}-${property}"`)))
      throw new BuildError(`has no row for ${property}: write {{row ${property} fa-…}}`);
  return expanded;

  /** Replaces the marks whose source contains further marks and keys. */
  function composed(name: string): string | undefined {
    return name === "conditions" ? conditionRows(properties) + request : block(name);
  }

  function replacement(name: string, rest: string): string {
    if (name === "defaults") return defaults(properties, starts(rest));
    const [property = "", icon = ""] = rest.split(/\s+/);
    const found = properties.find((entry) => entry.property === property);
    if (name !== "row") throw new BuildError(`the mark {{${name}}} is none of ${MARKS.join(", ")}`);
    if (!found || icon === "")
      throw new BuildError(`cannot read {{row ${rest}}}: write a property of the node and an icon`);
    return row(found, node, icon, catalogue);
  }
}

function expand(source: string, replace: (name: string, rest: string) => string | undefined): string {
  return source.replace(MARK, (mark, indent: string, before: string, name: string, rest: string) => {
    const text = replace(name, rest);
    return text === undefined ? mark : indent + before + text.replaceAll("\n", `\n${indent}`);
  });
}

function starts(members: string): Record<string, unknown> {
  try {
    return JSON.parse(`{${members}}`);
  } catch {
    throw new BuildError("{{defaults}} is not followed by JSON members");
  }
}

function withKeys(html: string, type: string, catalogue: Catalogue): string {
  return html.replace(/data-i18n="([^"]*)"/g, (attribute, list: string) => {
    const keys = list.split(";").map((part) => {
      const [, target = "", key = ""] = /^(\[[\w-]+\])?(.*)$/.exec(part) ?? [];
      const found = findKey(catalogue, type, key);
      if (found === undefined) throw new BuildError(`the catalogue has no text for ${attribute}`);
      return target + found;
    });
    return `data-i18n="${keys.join(";")}"`;
  });
}

/**
 * The properties as a dialog's `defaults` hold them. `telephony.checked` gives them their validators.
 * @param starts values of a node from the palette, where they are not those of an absent property
 */
function defaults(properties: readonly NodeProperty[], starts: Readonly<Record<string, unknown>>): string {
  const known = new Set(
    properties.flatMap(({ property, type }) => (type === undefined ? [property] : [property, `${property}Type`])),
  );
  for (const property of Object.keys(starts))
    if (!known.has(property)) throw new BuildError(`starts an unknown property "${property}"`);
  return `...telephony.checked({\n${properties.flatMap((entry) => lines(entry, starts)).join("\n")}\n}),`;
}

function lines(
  { property, start, absent, type, setting, field, check, config, optional }: NodeProperty,
  starts: Readonly<Record<string, unknown>>,
): string[] {
  const members = [`value: ${JSON.stringify(starts[property] ?? start)}`];
  if (config) members.push(`type: "${config}"`);
  if (config && optional) members.push("required: false");
  for (const [name, rule] of Object.entries({ absent, setting, field, check }))
    if (rule) members.push(`${name}: ${JSON.stringify(rule)}`);
  const own = `${property}: { ${members.join(", ")} },`;
  if (type === undefined) return [own];
  return [own, `${property}Type: { value: ${JSON.stringify(starts[`${property}Type`] ?? type)} },`];
}
