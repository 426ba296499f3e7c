import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Config } from "../../../fields";
import { ACCEPTED, answerOf, isWired } from "../../delivery/answers";
import type { Done, Send } from "../../delivery/pending";
import { chosenTenant, usable } from "../../tenants/chosen-tenant";
import { writable } from "../action/target";
import { TelephonyNode } from "../telephony-node";
import { carryOut } from "./command";
import { orderReader } from "./order";

export function controlNode(...args: ConstructorParameters<typeof ControlNode>): void {
  new ControlNode(...args);
}

/** Pauses, resumes, cancels, drops, counts or lists calls, by message or by the dialog's fixed command. */
class ControlNode extends TelephonyNode {
  readonly #readOrder: ReturnType<typeof orderReader>;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    super(RED, node, chosenTenant(RED, config, node));
    this.#readOrder = orderReader(config, this.host());
    this.open();
    const { lanes } = this.tenant.client ?? {};
    if (!lanes) return;
    const { paused, reason, callingHours, dated, heldBack } = lanes;
    if (paused || reason !== undefined || callingHours?.isOpen === false || dated + heldBack > 0)
      this.status.counted(lanes);
    else this.status.rest();
  }

  /** Failing the waiting requests changes the counts, too. Keep showing why nothing can be sent. */
  protected override changed(): void {
    const { lanes } = this.tenant.client ?? {};
    if (lanes && !lanes.refusal) this.status.counted(lanes);
  }

  protected override async input(message: NodeMessage, send: Send, done: Done): Promise<void> {
    try {
      const { client } = usable(this.tenant);
      const order = await this.#readOrder(message);
      const report = await carryOut(this.tenant, order);
      this.status.counted(client.lanes);
      const goesOn = ["count", "list"].includes(order.command) && isWired(this.node);
      if (!goesOn) answerOf(message)?.tell(ACCEPTED);
      this.deliver(message, "applied", () => {
        const out = writable(message, ["payload"]);
        out.payload = report;
        send(out);
        done();
      });
    } catch (error) {
      this.refuse(message, error, done);
    }
  }
}
