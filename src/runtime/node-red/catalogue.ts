import type { NodeAPI } from "node-red";
import type { Params, TextKey } from "../../fields";

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
