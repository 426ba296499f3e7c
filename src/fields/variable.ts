import { ValueError } from "../hours/value-error";

/** A variable of the environment as a whole value, which Node-RED replaces when it deploys: `${NAME}`, or `$(NAME)`. */
const WHOLE = /^\$(?:\{([^\s}]+)\}|\(([^\s)]+)\))$/;

/** A variable within a text: `${NAME}`. */
export const WITHIN = /\$\{([^{}]{1,100})\}/g;

/** The name of the variable that is the whole value, if it is one. */
export function variableOf(value: unknown): string | undefined {
  const [, name, older] = WHOLE.exec(String(value)) ?? [];
  return name ?? older;
}

export function hasVariable(text: unknown): boolean {
  return String(text).includes("${");
}

/**
 * Refuses a text with a variable that Node-RED did not replace: it has no value, or is not the whole text.
 * @throws ValueError
 */
export function withoutVariable(text: string, property: string): string {
  // No expression: it would look for an end behind each of many beginnings.
  const from = text.indexOf("${");
  const to = from < 0 ? -1 : text.indexOf("}", from);
  const variable = to < 0 ? variableOf(text) : text.slice(from + 2, to);
  if (variable === undefined) return text;
  throw new ValueError("config.unresolved", property, { variable: variable.slice(0, 60) });
}

/** A text in which `${NAME}` is replaced where there is a value. */
export function fillVariables(text: string, read: (name: string) => string | undefined): string {
  return text.replaceAll(WITHIN, (gap, name: string) => read(name) ?? gap);
}

/** The text in whose place a value is filled in. */
export function asVariable(name: string): string {
  return `\${${name}}`;
}
