import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { TenantClient } from "../../../client";
import type { Config } from "../../../fields";
import { ACCEPTED, answerOf, isWired } from "../../delivery/answers";
import { refuser } from "../../delivery/failure";
import { Mailbox } from "../../delivery/mailbox";
import { deliver } from "../../delivery/message-log";
import { hostOf } from "../../node-red/host";
import { StatusLine } from "../../node-red/status";
import { chosenTenant, usable } from "../../tenants/chosen-tenant";
import { writable } from "../action/target";
import { carryOut } from "./command";
import { orderReader } from "./order";

const ACTION = "telephony-control";

/** Pauses, resumes, cancels, drops, counts or lists calls, by message or by the dialog's fixed command. */
export function controlNode(RED: NodeAPI, node: Node, config: Config): void {
  const tenant = chosenTenant(RED, config, node);
  const status = new StatusLine(RED, node, tenant);
  const read = orderReader(config, hostOf(RED, node));
  const refuse = refuser(RED, { type: ACTION }, tenant.mode, status);
  const show = ({ lanes }: TenantClient) => status.counted(lanes);
  const mailbox = Mailbox.of(RED, node.id);
  mailbox.attach(node);
  node.on("close", () => mailbox.detach(node));
  if (tenant.problem) status.failed(tenant.problem);
  else {
    const { client } = tenant;
    const { paused, reason, callingHours, dated, heldBack } = client.lanes;
    if (paused || reason !== undefined || callingHours?.isOpen === false || dated + heldBack > 0) show(client);
    else status.rest();
    // Failing the waiting requests changes the counts, too. Keep showing why nothing can be sent.
    const unfollow = client.follow({
      changed() {
        if (!client.lanes.refusal) show(client);
      },
    });
    node.on("close", () => unfollow());
  }
  const input = async (message: NodeMessage, send: (out: NodeMessage) => void, done: (error?: Error) => void) => {
    try {
      const { client } = usable(tenant);
      const order = await read(message);
      const report = await carryOut(tenant, order);
      show(client);
      const goesOn = ["count", "list"].includes(order.command) && isWired(node);
      if (!goesOn) answerOf(message)?.tell(ACCEPTED);
      deliver(RED, ACTION, message, "applied", () => {
        const out = writable(message, ["payload"]);
        out.payload = report;
        send(out);
        done();
      });
    } catch (error) {
      refuse(message, error, done);
    }
  };
  node.on("input", (message: NodeMessage, send, done) => void input(message, send, done));
}
