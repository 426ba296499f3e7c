import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { TenantClient, TenantError } from "../../../client";
import type { Config } from "../../../fields";
import { ACCEPTED, answerOf, isWired } from "../../delivery/answers";
import { refuse } from "../../delivery/failure";
import { deliver } from "../../delivery/message-log";
import { hostOf } from "../../node-red/host";
import { StatusLine } from "../../node-red/status";
import { asTenantError } from "../../node-red/texts";
import { chosenTenant, usable } from "../../tenants/chosen-tenant";
import { writable } from "../action/target";
import { carryOut, type Report } from "./command";
import { orderReader } from "./order";

const ACTION = "telephony-control";

/** Pauses, resumes, cancels, drops, counts or lists calls, by message or by the dialog's fixed command. */
export function controlNode(RED: NodeAPI, node: Node, config: Config): void {
  const tenant = chosenTenant(RED, config, node);
  const { mode } = tenant;
  const status = new StatusLine(RED, node, mode, "none", tenant.settings?.timezone);
  const read = orderReader(config, hostOf(RED, node));
  const fail = (error: unknown): TenantError => {
    const problem = asTenantError(error);
    status.failed(problem);
    return problem;
  };
  const show = ({ lanes }: TenantClient) => status.counted(lanes);
  let unfollow = () => {};
  try {
    const { client } = usable(tenant);
    // Failing the waiting requests changes the counts, too. Keep showing why nothing can be sent.
    unfollow = client.follow(() => {
      if (!client.refusal) show(client);
    });
    const { paused, heldUntil, callingHours, dated, heldBack } = client.lanes;
    if (paused || heldUntil !== undefined || callingHours?.isOpen === false || dated + heldBack > 0) show(client);
    else status.rest();
  } catch (error) {
    fail(error);
  }
  void tenant.client?.opened.then((error) => error && fail(error));
  node.on("close", (removed: boolean, closed: () => void) => {
    unfollow();
    status.close(removed);
    closed();
  });
  const input = async (message: NodeMessage, send: (out: NodeMessage) => void, done: (error?: Error) => void) => {
    let report: Report;
    let goesOn: boolean;
    try {
      usable(tenant);
      const order = await read(message);
      goesOn = ["count", "list"].includes(order.command) && isWired(node);
      report = await carryOut(tenant, order);
      show(usable(tenant).client);
    } catch (error) {
      refuse(RED, { type: ACTION }, mode, message, fail(error), done);
      return;
    }
    if (!goesOn) answerOf(message)?.tell(ACCEPTED);
    deliver(RED, ACTION, message, "applied", () => {
      const out = writable(message, ["payload"]);
      out.payload = report;
      send(out);
      done();
    });
  };
  node.on("input", (message: NodeMessage, send, done) => void input(message, send, done));
}
