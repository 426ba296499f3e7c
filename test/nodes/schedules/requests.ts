import type { Received } from "../../support/live-tenant";
import { flowOf, withTenant } from "../../support/stage";

/** A node that calls the number which its message brings. */
export const callOut = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "call-out",
  tenant: "t1",
  fromNumber: "0000000001",
  fromNumberType: "str",
  toNumber: "payload",
  toNumberType: "msg",
  answerUrl: "https://example.com/answer",
  answerUrlType: "str",
  wires: [["out"]],
  ...more,
});

/** A node that calls the same number whatever its message is. */
export const callAlike = (more: Record<string, unknown> = {}) =>
  callOut({ toNumber: "0000000000", toNumberType: "str", ...more });

export const CALL_STOP = { id: "n2", type: "call-stop", tenant: "t1", wires: [["out"]] };

/** Makes the node by which the tenant of those nodes takes commands. */
export const control = (more: Record<string, unknown> = {}) => ({
  id: "k1",
  type: "telephony-control",
  tenant: "t1",
  wires: [["out"]],
  ...more,
});

/** One whose counts are not checked. */
export const CONTROL = control({ wires: [[]] });

/** Lists the numbers that a tenant was asked to call, in their order. */
export const dialledIn = (received: readonly Received[]) =>
  received.filter(({ url }) => url.endsWith("/call-out")).map(({ body }) => Object(body)["to.number"]);

/** Prepares a suite that deploys again and again: the tenant, new for each test, and flows that no deploy shares with another. */
export function callsOfTenant() {
  const held = withTenant();
  return {
    held,
    flow: (tenant: Record<string, unknown>, ...nodes: Record<string, unknown>[]) =>
      structuredClone(flowOf({ url: held.tenant.url, ...tenant }, ...nodes)),
    dialled: () => dialledIn(held.tenant.received),
  };
}
