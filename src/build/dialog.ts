import type { NodeDeclaration } from "../runtime/register";
import { type Catalogue, findKey } from "./catalogue";
import { defaults } from "./defaults";
import { type NodeProperty, nodeProperties } from "./node-properties";
import { prefixOf, requestRow, row } from "./rows";
import { BuildError } from "./sources";

const MARK = /^([ \t]*)(.*?)\{\{\s*(\w+)\s*([\s\S]*?)\s*\}\}/gm;

/**
 * Expands the marks in the source of a dialog:
 * - `{{defaults}}`: the properties of the node. Start values of a node from the palette may follow as JSON members.
 * - `{{row toNumber fa-phone}}`: the row of a property, with an icon.
 * - `{{request}}`: the button that shows the node's request.
 * The keys in `data-i18n` become full keys: the node's own text, else the shared one.
 * @throws BuildError
 */
export function dialog(
  html: string,
  node: NodeDeclaration,
  catalogue: Catalogue,
  properties: readonly NodeProperty[] = nodeProperties(node),
): string {
  const expanded = withKeys(html, node.type, catalogue).replace(
    MARK,
    (_, indent: string, before: string, name: string, rest: string) =>
      indent + before + replacement(name, rest).replaceAll("\n", `\n${indent}`),
  );
  const stray = /\{\{.*/.exec(expanded);
  if (stray) throw new BuildError(`cannot read the mark ${stray[0]}`);
  for (const { property } of properties)
    if (![prefixOf(node), "telephony"].some((prefix) => expanded.includes(`id="${prefix}-${property}"`)))
      throw new BuildError(`has no row for ${property}: write {{row ${property} fa-…}}`);
  return expanded;

  function replacement(name: string, rest: string): string {
    if (name === "defaults") return defaults(properties, starts(rest));
    if (name === "request") return requestRow;
    const [property = "", icon = ""] = rest.split(/\s+/);
    const found = properties.find((entry) => entry.property === property);
    if (name !== "row") throw new BuildError(`the mark {{${name}}} is none of {{defaults}}, {{row}} and {{request}}`);
    if (!found || icon === "")
      throw new BuildError(`cannot read {{row ${rest}}}: write a property of the node and an icon`);
    return row(found, node, icon, catalogue);
  }
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
