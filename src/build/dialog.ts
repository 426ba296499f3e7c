import { type NodeProperty, nodeProperties } from "../runtime/node-properties";
import type { NodeDeclaration } from "../runtime/register";
import type { Catalogue } from "../texts/catalogue";
import { findKey } from "./catalogue";
import { layout, prefixOf } from "./layout";
import { BuildError } from "./sources";

const ROWS = /\{\{rows ?([\w ]*)\}\}/g;

/**
 * Fills in what the declaration of a node says about its dialog:
 * - `{{rows}}` is its rows in the declared order, except those that the source has, or that `{{rows callId toNumber}}` places.
 * - `{{definition}}` is its icon, its outputs and its properties.
 * The keys in `data-i18n` become full keys: the node's own text, else the shared one.
 * @param icon file name, or the name of an icon of Font Awesome
 * @throws BuildError
 */
export function dialog(
  html: string,
  node: NodeDeclaration,
  catalogue: Catalogue,
  properties: readonly NodeProperty[] = nodeProperties(node),
  icon = "",
): string {
  const rows = layout(node, properties, catalogue);
  const placed = new Set([...html.matchAll(ROWS)].flatMap(([, names = ""]) => names.split(" ")));
  const others = [...rows.keys()].filter(
    (name) => !placed.has(name) && !html.includes(`id="${prefixOf(node)}-${name}"`),
  );
  const rowOf = (name: string) => {
    const row = rows.get(name);
    if (row === undefined)
      throw new BuildError(`there is no row "${name}" to place, only ${[...rows.keys()].join(", ")}`);
    return row;
  };
  const filled = html
    .replace(ROWS, (_, names: string) => (names === "" ? others : names.split(" ")).map(rowOf).join("\n"))
    .replace("{{definition}}", () => definition(node, properties, icon));
  const stray = /\{\{.*/.exec(filled);
  if (stray) throw new BuildError(`cannot read the mark ${stray[0]}`);
  for (const { property } of properties)
    if (![prefixOf(node), "telephony"].some((prefix) => filled.includes(`id="${prefix}-${property}"`)))
      throw new BuildError(
        `has no row for ${property}: place its row, or write one with the id ${prefixOf(node)}-${property}`,
      );
  return withKeys(filled, node.type, catalogue);
}

function withKeys(html: string, type: string, catalogue: Catalogue): string {
  const missing: string[] = [];
  const filled = html.replace(/data-i18n="([^"]*)"/g, (attribute, list: string) => {
    const keys = list.split(";").map((part) => {
      const [, target = "", key = ""] = /^(\[[\w-]+\])?(.*)$/.exec(part) ?? [];
      const found = findKey(catalogue, type, key);
      if (found === undefined) missing.push(`the catalogue has no text "${type}.${key}" or "${key}" for ${attribute}`);
      return target + found;
    });
    return `data-i18n="${keys.join(";")}"`;
  });
  if (missing.length > 0) throw new BuildError(missing.join("; "));
  return filled;
}

/** Writes the members of the definition in the editor. `telephony.checked` gives the properties their validators. */
function definition(node: NodeDeclaration, properties: readonly NodeProperty[], icon: string): string {
  const { outputs, starts = {} } = node;
  const defaults = new Map<string, object>(properties.flatMap(defaultsOf));
  for (const [name, value] of Object.entries(starts)) {
    if (!defaults.has(name) && value !== undefined) throw new BuildError(`starts an unknown property "${name}"`);
    defaults.set(name, { ...defaults.get(name), value });
  }
  const placesCalls = "effect" in node && node.effect === "placed";
  return [
    `kind: "${node.kind}",`,
    ...(placesCalls ? ["placesCalls: true,"] : []),
    ...(node.kind === "tenant" ? [] : [`icon: "${icon}",`]),
    ...(outputs ? [`outputs: ${outputs.length},`, `outputNames: ${JSON.stringify(outputs)},`] : []),
    "defaults: telephony.checked({",
    ...[...defaults].map(([name, each]) => `${name}: ${JSON.stringify(each)},`),
    "}),",
  ].join("\n");
}

function defaultsOf({ property, start, type, config, optional, absent, setting, field, check }: NodeProperty) {
  const own = {
    value: start,
    ...(config && { type: config }),
    ...(optional && { required: false }),
    ...Object.fromEntries(Object.entries({ absent, setting, field, check }).filter(([, rule]) => rule)),
  };
  const entries: [string, object][] = [[property, own]];
  return type === undefined ? entries : [...entries, [`${property}Type`, { value: type }] as [string, object]];
}
