import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeAPI } from "node-red";
import type { ValueError } from "../fields";
import { asTenantError, sentence } from "../runtime/node-red/texts";
import type { NodeDeclaration } from "../runtime/register";

interface Texts {
  readonly [key: string]: string | Texts;
}

/** The sentence of a refused value, in English, as Node-RED would say it. */
export type Say = (error: ValueError, node: NodeDeclaration) => string;

/** Reads the English texts that Node-RED shows. */
export function englishTexts(): Say {
  const file = join(__dirname, "..", "..", "nodes", "locales", "en-US", "index.json");
  const texts = JSON.parse(readFileSync(file, "utf8")) as Texts;
  const _ = (key: string, params: Readonly<Record<string, unknown>> = {}): string => {
    const path = key.slice(key.indexOf(":") + 1).split(".");
    const found = path.reduce<string | Texts | undefined>((at, step) => (at as Texts | undefined)?.[step], texts);
    return typeof found === "string" ? found.replace(/__(\w+?)__/g, (gap, name) => String(params[name] ?? gap)) : key;
  };
  const RED = { _ } as unknown as NodeAPI;
  return (error, node) => sentence(RED, asTenantError(error), node);
}
