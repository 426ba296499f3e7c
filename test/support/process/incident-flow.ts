import type { LiveTenant } from "../live-tenant";
import { type Campaign, campaignFlow } from "./campaign";
import { eventually, LONG_MS } from "./eventually";
import { at, type FlowNode, hook, type NodeRed } from "./node-red";

/** The people of an incident, A to C. */
export const PEOPLE = ["A", "B", "C"].map((name, index) => ({ name, number: `000000000${index}` }));

/**
 * The flow of a campaign with a `call-escalate` instead of `call-out`, whose outputs are recorded alike. POST /acknowledge takes a
 * key, and acknowledges or ends its incident.
 */
export function incidentFlow(tenant: Record<string, unknown>, node: Record<string, unknown> = {}): FlowNode[] {
  const call = { type: "call-escalate", ringFor: "1", rounds: "1", wires: [["ok"], ["ok"]], ...node };
  const func = `return [{ payload: { key: msg.payload.key }, acknowledge: msg.payload.by, over: msg.payload.over }, msg];`;
  return [
    ...campaignFlow(tenant, { node: call }),
    hook("/acknowledge", "by"),
    at("by", "function", { func, outputs: 2 }, ["call"], ["answer"]),
  ];
}

/** The message that begins an incident; its key is the id of the message. */
export const incident = (id: string, more: object = {}) => ({ id, key: id, people: PEOPLE, ...more });

export const acknowledge = (nodeRed: NodeRed, key: string, by: unknown = "Jane") =>
  nodeRed.post("/acknowledge", { key, by });

/** Reports that the incident is over. */
export const end = (nodeRed: NodeRed, key: string) => nodeRed.post("/acknowledge", { key, over: true });

/** The people whom a tenant was asked to call, in order. */
export const dialled = ({ received }: LiveTenant): string =>
  received
    .filter(({ method }) => method === "POST")
    .map(({ text }) => "ABC"[Number(String(JSON.parse(text)["to.number"]).at(-1))])
    .join("");

export const untilDialled = (tenant: LiveTenant, count: number) =>
  eventually(() => (dialled(tenant).length >= count ? dialled(tenant) : undefined), LONG_MS);

/** Returns how an incident ended: its calls in short, and who acknowledged. */
export async function reportOf(campaign: Campaign, id: string) {
  const result = await eventually(() => campaign.results.find((one) => one.id === id), LONG_MS);
  const { rung, acknowledgedBy } = Object(result.message["payload"]);
  const calls = (rung as { name: string; outcome: string; round: number }[] | undefined)?.map(
    ({ name, outcome, round }) => `${round} ${name} ${outcome}`,
  );
  return { as: campaign.ends[id], calls, acknowledgedBy, restored: result.restored, outcome: result.outcome };
}
