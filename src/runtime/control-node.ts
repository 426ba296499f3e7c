import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type Config, FieldError, isGiven, quote } from "../fields";
import type { TenantError } from "../tenant";
import { shared } from "./catalogue";
import { COMMANDS, type Command, type Counts, carryOut, clientOf } from "./command";
import { failure, notBegun } from "./failure";
import { writable } from "./output";
import { StatusWords } from "./status-words";
import type { Tenant } from "./tenants";
import { asTenantError } from "./texts";

/** Holds a campaign, lets it go on, or drops what waits, as messages or the dialog command. */
export function controlNode(RED: NodeAPI, node: Node, { tenant: id, command: fixed }: Config): void {
  const tenant = (RED.nodes.getNode(String(id ?? "")) as { tenant?: Tenant } | null)?.tenant;
  const words = new StatusWords(node);
  const refuse = (error: unknown): TenantError => {
    const problem = asTenantError(error);
    words.show(() => ({ fill: "red", shape: "dot", text: shared(RED, `status.${problem.code}`) }));
    return problem;
  };
  try {
    clientOf(tenant);
  } catch (error) {
    refuse(error);
  }
  node.on("close", () => words.close());
  node.on("input", (message: NodeMessage, send, done) => {
    try {
      const command = isGiven(fixed) ? chosen(fixed, "the dialog") : chosen(message.payload, "msg.payload");
      const counts = carryOut(tenant, command);
      words.show(() => ({ fill: "grey", shape: counts.paused ? "ring" : "dot", text: told(RED, counts) }));
      const out = writable(message, ["payload"]);
      out.payload = counts;
      send(out);
      done();
    } catch (error) {
      const problem = refuse(error);
      const mode = tenant?.settings?.mode ?? null;
      done(failure(RED, "telephony-control", mode, notBegun(problem)));
    }
  });
}

function chosen(value: unknown, source: string): Command {
  const command = COMMANDS.find((known) => known === (typeof value === "string" ? value.trim() : value));
  if (command) return command;
  throw new FieldError("notChoice", "command", { value: quote(value), choices: COMMANDS.join(", ") }, source);
}

function told(RED: NodeAPI, { paused, waiting }: Counts): string {
  const count = waiting.callOut + waiting.other;
  const words = shared(RED, "status.waiting", { count });
  return paused ? `${shared(RED, "status.paused")}, ${words}` : words;
}
