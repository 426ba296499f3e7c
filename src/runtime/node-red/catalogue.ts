import type { NodeAPI } from "node-red";
import type { Params } from "../../fields";

/** Sentences that all nodes share live in the config node's catalogue. */
const SHARED = "@cloud-telephony/node-red-call-actions/telephony-tenant:";

/** A shared text in the language of the server. */
export function shared(RED: NodeAPI, key: string, params: Params = {}): string {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "object" ? RED._(`${SHARED}words.${value.word}`) : value,
  ]);
  return RED._(SHARED + key, Object.fromEntries(said) as Record<string, string | number>);
}
