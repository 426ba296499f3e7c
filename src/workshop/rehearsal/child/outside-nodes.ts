import type { Node, NodeDef } from "node-red";
import type { Plan } from "../prepare";
import { type NodeRed, templateId } from "./observe";
import { report } from "./output";

/** Registers a type that no node set has. Its nodes report each message, and answer as the world file specifies. */
export function registerOutside(RED: NodeRed, type: string, { answers }: Plan): void {
  report({ kind: "not run", type });
  RED.nodes.registerType("rehearsal", type, function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    Object.assign(this, { isOutside: true });
    const nodeId = templateId(this);
    this.on("input", (message, send, done) => {
      const isAnswered = Object.hasOwn(answers, nodeId);
      report({ kind: "outside", at: Date.now(), nodeId, type, answered: isAnswered });
      if (isAnswered) send(answered(message, RED.util.cloneMessage(answers[nodeId])));
      done();
    });
  });
}

/** An answer with properties of a message gives these, any other is the payload. */
function answered(message: object, answer: unknown): never {
  const isProperties = ["payload", "statusCode"].some((name) => Object.hasOwn(Object(answer), name));
  return Object.assign(message, isProperties ? answer : { payload: answer }) as never;
}
