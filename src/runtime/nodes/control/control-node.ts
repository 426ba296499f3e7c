import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Config } from "../../../fields";
import { answerOf, isWired } from "../../delivery/answers";
import { ACCEPTED } from "../../delivery/http-answer";
import type { Done, Send } from "../../delivery/pending";
import { areHeld } from "../../node-red/status";
import { chosenTenant, usable } from "../../tenants/chosen-tenant";
import { writable } from "../action/target";
import { TelephonyNode } from "../telephony-node";
import { carryOut } from "./command";
import { orderReader } from "./order";

export function controlNode(...args: ConstructorParameters<typeof ControlNode>): void {
  const [, node] = args;
  Object.assign(node, { control: new ControlNode(...args) });
}

/** Carries out a command about the calls of its tenant, by message or the one that the dialog has fixed. */
export class ControlNode extends TelephonyNode {
  readonly #readOrder: ReturnType<typeof orderReader>;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    super(RED, node, chosenTenant(RED, config, node));
    this.#readOrder = orderReader(config, this.host(), this.tenant.settings?.timezone);
    this.open();
    const { lanes } = this.tenant.client ?? {};
    if (lanes && (areHeld(lanes) || lanes.dated > 0)) this.status.counted(lanes);
    else if (lanes) this.status.rest();
  }

  /** Carries out the command of the dialog, as for a message. Rejects with ValueError if that needs something from a message. */
  async press(): Promise<void> {
    await this.#readOrder({});
    this.node.receive();
  }

  /** Shows the counts, which failing the waiting requests changes, too, but keeps showing why nothing can be sent. */
  protected override changed(): void {
    const { lanes } = this.tenant.client ?? {};
    if (lanes && !lanes.refusal) this.status.counted(lanes);
  }

  protected override async input(message: NodeMessage, send: Send, done: Done): Promise<void> {
    try {
      const { client } = usable(this.tenant);
      const order = await this.#readOrder(message);
      const report = await carryOut(this.tenant, order);
      const { command } = order;
      if (command === "block") this.status.show("grey", "dot", "blocked");
      else if (command === "unblock") this.status.show("grey", "dot", "unblocked");
      else if (command === "settle") this.status.show("grey", "dot", "settled");
      else this.status.counted(client.lanes);
      const goesOn = ["count", "list", "blocked", "unknown"].includes(command) && isWired(this.node);
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
