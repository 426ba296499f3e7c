import type { NodeAPI } from "node-red";
import type { Params, TextKey } from "../../fields";
import { folderOf, type ShippedTexts, shippedTexts } from "../../fields/english";
import { perNode } from "./node-state";
import { swallowErrors } from "./swallow-errors";

/** The namespace of the set's catalogue. */
const CATALOGUE = "@cloud-telephony/node-red-call-actions/telephony:";

/** A text of the catalogue in the language of the server. */
export function shared(RED: NodeAPI, key: TextKey, params: Params = {}): string {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "object" ? RED._(`${CATALOGUE}words.${value.word}`) : value,
  ]);
  return RED._(CATALOGUE + key, Object.fromEntries(said) as Record<string, string | number>);
}

/** The texts of the catalogue in the language of the server. */
export function serverTexts(RED: NodeAPI): (key: TextKey, params?: Params) => string {
  return (key, params) => shared(RED, key, params);
}

/** By folder: dialogs ask with every change. */
const catalogues = perNode<ShippedTexts>("catalogue");

export function textsOf(language: string): ShippedTexts {
  const folder = folderOf(language);
  return catalogues.of(folder, () => shippedTexts(folder));
}

/** Gives Node-RED the texts of a language: its own `_` knows those of the server, and others only once an editor has opened. */
export function speaking(RED: object, language: string): NodeAPI {
  const text = textsOf(language);
  const _: typeof text = (key, params) => text(key.slice(key.indexOf(":") + 1), params) ?? key;
  return Object.assign(Object.create(RED), { _ });
}

/** Writes a text to Node-RED's log. Never throws. */
export function logText(RED: NodeAPI, level: "info" | "warn" | "error", key: TextKey, params?: Params): void {
  swallowErrors(() => RED.log[level](shared(RED, key, params)));
}

/** A text under a key that is made of a name, if there is one: Node-RED answers with the key of a missing text. */
export function found(RED: NodeAPI, key: string): string | undefined {
  const text: unknown = RED._(CATALOGUE + key);
  return typeof text === "string" && !text.endsWith(key) ? text : undefined;
}
