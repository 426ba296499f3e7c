import type { NodeAPI } from "node-red";

/** Sentences that all nodes share live in the config node's catalogue. */
const SHARED = "@cloud-telephony/node-red-call-actions/telephony-tenant:";

/** A shared text in the language of the server. */
export function shared(RED: NodeAPI, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  return RED._(SHARED + key, params);
}
