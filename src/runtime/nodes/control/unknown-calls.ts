import type { NodeMessage } from "node-red";
import { findUnknown, listUnknown, notSent, type TenantClient, type UnknownCall } from "../../../client";
import type { ErrorKey } from "../../../fields";
import { ValueError } from "../../../hours/value-error";
import { isObject } from "../../../json/rules";
import { Mailbox } from "../../delivery/mailbox";
import { keptMessage } from "../../delivery/restore-handler";
import { isWhole } from "../../delivery/stored-message";
import type { UsableTenant } from "../../tenants/chosen-tenant";
import { formerClients } from "../../tenants/tenants";

/** The decisions about a call-out that ended `unknown`. */
const DECISIONS = ["rang", "did-not-ring", "call-again"] as const;

export interface Settlement {
  readonly id: string;
  readonly as: (typeof DECISIONS)[number];
}

/** Reads a decision. Throws ValueError. */
export function readSettlement(given: unknown): Settlement {
  const own = (name: string) => (isObject(given) && Object.hasOwn(given, name) ? given[name] : undefined);
  const [id, as] = [own("id"), own("as")];
  if (typeof id !== "string" || id === "") throw new ValueError("input.missing", "id", {}, "msg.payload.id");
  const known = DECISIONS.find((each) => each === as);
  if (known) return { id, as: known };
  throw new ValueError("input.notChoice", "as", { value: as, choices: DECISIONS.join(", ") }, "msg.payload.as");
}

/** The call-outs of a tenant that ended `unknown`, the oldest first. Rejects with TenantError ERR_ENGINE. */
export async function unknownCalls(tenant: UsableTenant, limit: number, offset: number) {
  const clients = [tenant.client, ...formerClients(tenant)];
  const [own = [], ...former] = await Promise.all(clients.map((client) => listUnknown(client)));
  const listed = former.length > 0 ? [own, ...former].flat().sort((a, b) => a.at - b.at) : own;
  // Those of an earlier mode or address can only be ended.
  const isOwn = new Set(own);
  return listed.slice(offset, offset + limit).map((call) => {
    const { id, key, nodeId, number, sentAt, code } = call;
    return {
      id,
      key,
      nodeId,
      number,
      sentAt,
      code,
      canCallAgain: isOwn.has(call) && !call.isDoubted && messageOf(call) !== undefined,
    };
  });
}

/** Carries out a decision, once. Rejects with TenantError if nothing was decided. */
export async function settle(tenant: UsableTenant, { id, as }: Settlement) {
  let decision = await decide(tenant.client, id, as);
  for (const former of formerClients(tenant))
    if (decision.settled + decision.tooLate === 0) decision = await decide(former, id, as, true);
  return decision;
}

function decide(client: TenantClient, id: string, as: Settlement["as"], isFormer = false) {
  return client.ask(({ decisions }) =>
    decisions.turns.take(id, async () => {
      if (as !== "call-again") return decisions.decide(id, as);
      const call = await findUnknown(client, id);
      if (!call) return decisions.missing(id);
      if (isFormer) throw refused("input.againMoved");
      if (call.isDoubted) throw refused("input.againDoubted");
      const message = messageOf(call);
      if (!message) throw refused("input.againNoMessage");
      const callAgain = Mailbox.ofRunning(call.nodeId, call.nodeType)?.callAgain;
      if (!callAgain) throw refused("input.againNodeGone");
      try {
        await callAgain(message, id, client);
        return { settled: 1, tooLate: 0 } as const;
      } catch (error) {
        // Another instance may have been quicker.
        if (await findUnknown(client, id)) throw error;
        return decisions.missing(id);
      }
    }),
  );
}

function refused(key: ErrorKey) {
  return notSent("ERR_INPUT", "input", { key, field: "id" });
}

/** The message of a call-out, to be sent once more; `undefined` if a part of it was not kept. */
function messageOf({ kept }: UnknownCall): NodeMessage | undefined {
  if (kept === undefined) return undefined;
  const { message, left = [] } = keptMessage(kept).message;
  const { req: _, res: _res, telephony, ...rest } = message;
  if (!isWhole(left)) return undefined;
  return { ...rest, telephony: { ...(isObject(telephony) && telephony), again: true } } as unknown as NodeMessage;
}
