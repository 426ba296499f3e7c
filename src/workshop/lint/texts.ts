import type { NodeAPI } from "node-red";
import type { ValueError } from "../../fields";
import { englishTexts } from "../../fields/english";
import { asTenantError, sentence } from "../../runtime/node-red/texts";
import type { NodeDeclaration } from "../../runtime/register";

/** The sentence of a refused value, in English, as Node-RED would say it. */
export type Say = (error: ValueError, node: NodeDeclaration) => string;

export function englishSentences(): Say {
  const text = englishTexts();
  const _ = (key: string, params?: Readonly<Record<string, unknown>>) =>
    text(key.slice(key.indexOf(":") + 1), params) ?? key;
  const RED = { _ } as unknown as NodeAPI;
  return (error, node) => sentence(RED, asTenantError(error), node);
}
