import { campaignFlow } from "./campaign";
import { at, type FlowNode, type NodeRed } from "./node-red";

/** A call that may have rung, as `telephony-control` lists it. */
export interface UnknownCall {
  readonly id: string;
  readonly key: string;
  readonly nodeId: string;
  readonly sentAt: string | null;
  readonly code: string;
  readonly canCallAgain: boolean;
}

/** A campaign that answers why a command was refused. */
export function unknownFlow(...parts: Parameters<typeof campaignFlow>): FlowNode[] {
  const func = "msg.payload = { error: msg.error.message }; return msg;";
  const why = at("why", "function", { func, outputs: 1 }, ["answer"]);
  return [...campaignFlow(...parts), at("refused", "catch", { scope: ["control"] }, ["why"]), why];
}

/** The answer of the flow: the counts, or the message of the error. */
export interface Answer {
  readonly settled?: number;
  readonly tooLate?: number;
  readonly error?: string;
}

/** Asks the flow of a campaign for the calls about which nobody has decided. */
export async function unknownOf(nodeRed: NodeRed): Promise<readonly UnknownCall[]> {
  const answer = await nodeRed.post("/control", { command: { command: "unknown" } });
  return ((await answer.json()) as { readonly unknown: readonly UnknownCall[] }).unknown;
}

/** Decides about one, through the flow of a campaign. */
export async function decide(nodeRed: NodeRed, decision: object): Promise<Answer> {
  const answer = await nodeRed.post("/control", { command: { command: "settle", ...decision } });
  return (await answer.json()) as Answer;
}
