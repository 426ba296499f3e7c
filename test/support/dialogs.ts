import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { root } from "./root";

type Values = Readonly<Record<string, unknown>>;

interface Definition {
  readonly defaults: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The properties of a node that was just dropped from the palette, by node type, from the shipped dialogs. */
export function startValues(): ReadonlyMap<string, Values> {
  const found = new Map<string, Values>();
  const registerType = (type: string, { defaults }: Definition) =>
    found.set(type, Object.fromEntries(Object.entries(defaults).map(([property, { value }]) => [property, value])));
  const html = readFileSync(join(root, "dist/nodes/index.html"), "utf8");
  const context = createContext({
    RED: { nodes: { registerType }, events: { on: () => {} }, hooks: { add: () => {}, remove: () => {} } },
    document: {},
  });
  for (const [, script = ""] of html.matchAll(/<script type="text\/javascript">(.*?)<\/script>/gs)) {
    runInContext(script, context);
  }
  return found;
}
