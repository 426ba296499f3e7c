import type { NodeProperty } from "./node-properties";
import { BuildError } from "./sources";

/**
 * The properties as a dialog's `defaults` hold them. `telephony.checked` gives them their validators.
 * @param starts values of a node from the palette, where they are not those of an absent property
 */
export function defaults(properties: readonly NodeProperty[], starts: Readonly<Record<string, unknown>>): string {
  const known = new Set(
    properties.flatMap(({ property, type }) => (type === undefined ? [property] : [property, `${property}Type`])),
  );
  for (const property of Object.keys(starts))
    if (!known.has(property)) throw new BuildError(`starts an unknown property "${property}"`);
  return `...telephony.checked({\n${properties.flatMap((entry) => lines(entry, starts)).join("\n")}\n}),`;
}

function lines(
  { property, start, type, setting, field, check, config, optional }: NodeProperty,
  starts: Readonly<Record<string, unknown>>,
): string[] {
  const members = [`value: ${JSON.stringify(starts[property] ?? start)}`];
  if (config) members.push(`type: "${config}"`);
  if (config && optional) members.push("required: false");
  for (const [name, rule] of Object.entries({ setting, field, check }))
    if (rule) members.push(`${name}: ${JSON.stringify(rule)}`);
  const own = `${property}: { ${members.join(", ")} },`;
  if (type === undefined) return [own];
  return [own, `${property}Type: { value: ${JSON.stringify(starts[`${property}Type`] ?? type)} },`];
}
