/** A variable of the environment as a whole value, which Node-RED replaces when it deploys: `${NAME}`, or `$(NAME)`. */
const WHOLE = /^\$(?:\{([^\s}]+)\}|\(([^\s)]+)\))$/;

/** The name of the variable that is the whole value, if it is one. */
export function variableOf(value: unknown): string | undefined {
  const [, name, older] = WHOLE.exec(String(value)) ?? [];
  return name ?? older;
}

/** Whether there may be variables in a text. */
export function hasVariable(text: unknown): boolean {
  return String(text).includes("${");
}

/** A text in which `${NAME}` is replaced where there is a value. */
export function fillVariables(text: string, read: (name: string) => string | undefined): string {
  return text.replaceAll(/\$\{([^{}]{1,100})\}/g, (gap, name: string) => read(name) ?? gap);
}

/** The text in whose place a value is filled in. */
export function asVariable(name: string): string {
  return `\${${name}}`;
}
