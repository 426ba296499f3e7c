import type { NodeProperty } from "./node-properties";
import { BuildError } from "./sources";

/**
 * The properties as `defaults` holds them, validators and all.
 * @param starts values that a node dropped from the palette begins with, where they are not those of an absent property
 */
export function defaults(properties: readonly NodeProperty[], starts: Readonly<Record<string, unknown>>): string {
  const known = new Set(
    properties.flatMap(({ property, type }) => (type === undefined ? [property] : [property, `${property}Type`])),
  );
  for (const property of Object.keys(starts))
    if (!known.has(property)) throw new BuildError(`starts an unknown property "${property}"`);
  return properties.flatMap((entry) => lines(entry, starts)).join("\n");
}

function lines(
  { property, start, type, note, config }: NodeProperty,
  starts: Readonly<Record<string, unknown>>,
): string[] {
  const value = `value: ${JSON.stringify(starts[property] ?? start)}`;
  if (config && !note) return [`${property}: { ${value}, type: "${config}", required: true },`];
  if (!note) return [`${property}: { ${value} },`];
  const check = `validate(v, opt) { return telephony.valid(this, "${property}", v); }`;
  const own = `${property}: { ${value},${config ? ` type: "${config}",` : ""} field: ${JSON.stringify(note)}, ${check} },`;
  return type === undefined
    ? [own]
    : [own, `${property}Type: { value: ${JSON.stringify(starts[`${property}Type`] ?? type)} },`];
}
