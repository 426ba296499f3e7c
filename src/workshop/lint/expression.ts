import jsonata from "jsonata";

/** Parses a JSONata expression, as Node-RED does. The build puts the library into this file. Throws its own errors. */
export function parseExpression(expression: string): void {
  jsonata(expression);
}
