import type { Node, NodeAPI, NodeDef, NodeMessage } from "node-red";
import { FieldError, isGiven, quote } from "../fields";
import { notSent } from "../tenant";
import { failure, NOTHING_ASKED } from "./failure";
import { StatusWords } from "./status-words";
import type { Tenant } from "./tenants";
import { asTenantError, shared } from "./texts";

export const COMMANDS = ["pause", "resume", "drop", "count"] as const;
export type Command = (typeof COMMANDS)[number];

/** What waits and what is under way at a tenant. */
export interface Counts {
  readonly paused: boolean;
  readonly waiting: { readonly callOut: number; readonly other: number };
  readonly underWay: number;
  /** Messages that this command dropped. */
  readonly dropped: number;
}

/** Carries out a command. Throws TenantError when the tenant cannot be used. */
export function carryOut(tenant: Tenant | undefined, command: Command): Counts {
  if (!tenant) throw notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
  if (!tenant.client) throw tenant.problem ?? notSent("ERR_CONFIG", "config");
  const { lanes } = tenant.client;
  let dropped = 0;
  if (command === "pause") lanes.pause();
  else if (command === "resume") lanes.resume();
  else if (command === "drop") dropped = tenant.client.drop();
  return { paused: lanes.paused, waiting: lanes.waiting, underWay: lanes.underWay, dropped };
}

/** The palette entry that holds a campaign, lets it go on, or drops what waits. */
export function control(RED: NodeAPI): void {
  RED.nodes.registerType("telephony-control", function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    const { tenant: id, command } = config as unknown as Readonly<Record<string, unknown>>;
    const tenant = (RED.nodes.getNode(String(id ?? "")) as { tenant?: Tenant } | null)?.tenant;
    const words = new StatusWords(this);
    this.on("close", () => words.close());
    this.on("input", (message: NodeMessage, send, done) => {
      try {
        const counts = carryOut(tenant, chosen(isGiven(command) ? command : message.payload, isGiven(command)));
        words.show(() => ({ fill: "grey", shape: counts.paused ? "ring" : "dot", text: told(RED, counts) }));
        message.payload = counts;
        send(message);
        done();
      } catch (error) {
        const problem = asTenantError(error);
        words.show(() => ({ fill: "red", shape: "dot", text: shared(RED, `status.${problem.code}`) }));
        const tally = { attempts: 0, waitedMs: 0, elapsedMs: 0 };
        const mode = tenant?.settings?.mode ?? null;
        done(failure(RED, "telephony-control", mode, { ok: false, error: problem, asked: NOTHING_ASKED, tally }));
      }
    });
  });
}

function chosen(value: unknown, fixed: boolean): Command {
  const command = COMMANDS.find((known) => known === (typeof value === "string" ? value.trim() : value));
  if (command) return command;
  const source = fixed ? "the dialog" : "msg.payload";
  throw new FieldError("notChoice", "command", { value: quote(value), choices: COMMANDS.join(", ") }, source);
}

function told(RED: NodeAPI, { paused, waiting }: Counts): string {
  const count = waiting.callOut + waiting.other;
  return paused
    ? `${shared(RED, "status.paused")}, ${shared(RED, "status.waiting", { count })}`
    : shared(RED, "status.waiting", { count });
}
