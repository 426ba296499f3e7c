import type { Plan } from "../plan";
import { type NodeRed, templateIdOf } from "./observe";
import { report } from "./output";

/** The part of a tenant's config node that is used here. */
interface TenantNode {
  readonly tenant?: {
    readonly client?: { readonly callOuts: { list(page: object): Promise<readonly WaitingCall[]> } };
  };
}

interface WaitingCall {
  readonly nodeId: string;
  readonly number: string | null;
  readonly acceptedAt: string;
  readonly waitsFor: string;
}

const PAGE = 10_000;

/** Reports the calls that still wait. */
export async function reportWaiting(RED: NodeRed, { tenants }: Plan): Promise<void> {
  for (const id of tenants) {
    const { tenant } = (RED.nodes.getNode(id) ?? {}) as TenantNode;
    for (let offset = 0; ; offset += PAGE) {
      const calls = (await tenant?.client?.callOuts.list({ limit: PAGE, offset })) ?? [];
      for (const { nodeId, number, acceptedAt, waitsFor: reason } of calls) {
        const about = { at: Date.parse(acceptedAt), nodeId: templateIdOf(RED, nodeId), number: number ?? "" };
        report({ kind: "notPlaced", ...about, code: null, reason });
      }
      if (calls.length < PAGE) break;
    }
  }
}
