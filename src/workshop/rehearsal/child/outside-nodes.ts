import { readFileSync } from "node:fs";
import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Plan } from "../plan";
import { templateId } from "./observe";
import { report } from "./output";

/** A node set with all types that are not run. Their nodes report each message, and answer as the world file specifies. */
export = (RED: NodeAPI) => {
  const { outside, answers } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Plan;
  for (const type of outside)
    RED.nodes.registerType(type, function (this: Node, config: NodeDef) {
      RED.nodes.createNode(this, config);
      const nodeId = templateId(this);
      this.on("input", (message, send, done) => {
        const isAnswered = Object.hasOwn(answers, nodeId);
        report({ kind: "outside", at: Date.now(), nodeId, type, answered: isAnswered });
        if (isAnswered) send(answered(message, RED.util.cloneMessage(answers[nodeId] as never)));
        done();
      });
    });
};

/** An answer with properties of a message gives these, any other is the payload. */
function answered(message: object, answer: unknown): never {
  const isProperties = ["payload", "statusCode"].some((name) => Object.hasOwn(Object(answer), name));
  return Object.assign(message, isProperties ? answer : { payload: answer }) as never;
}
