import type { Node, NodeDef } from "node-red";
import { asVariable } from "../../../fields/variable";
import { attempt } from "../../../json/rules";
import type { Plan } from "../prepare";
import { type NodeRed, templateId } from "./observe";
import { report } from "./output";

/** The properties that a node outside is given, as far as a report has it. */
const SHOWN = ["payload", "topic", "filename", "url"];
const MOST_BYTES = 2048;

/** Registers a type that no node set has. Its nodes report each message, and answer as the world file specifies. */
export function registerOutside(RED: NodeRed, type: string, { answers, secrets }: Plan): void {
  report({ kind: "not run", type });
  RED.nodes.registerType("rehearsal", type, function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    Object.assign(this, { isOutside: true });
    const nodeId = templateId(this);
    this.on("input", (message, send, done) => {
      const isAnswered = Object.hasOwn(answers, nodeId);
      report({ kind: "outside", at: Date.now(), nodeId, type, given: given(message, secrets), answered: isAnswered });
      if (isAnswered) send(answered(message, RED.util.cloneMessage(answers[nodeId])));
      done();
    });
  });
}

/** Writes JSON, in which secrets are `${NAME}`. */
function given(message: object, secrets: Plan["secrets"]): string {
  const all = message as Readonly<Record<string, unknown>>;
  const shown = SHOWN.filter((name) => all[name] !== undefined).map((name) => {
    const json = attempt(() => JSON.stringify(all[name])) ?? JSON.stringify(String(all[name]));
    const hide = (text: string, [name, secret]: readonly [string, string]) =>
      text.replaceAll(JSON.stringify(secret).slice(1, -1), () => asVariable(name));
    const masked = secrets.reduce(hide, json);
    // A secret may have been a number, or true.
    const value: unknown = attempt(() => JSON.parse(masked)) ?? masked;
    const bytes = Buffer.from(typeof value === "string" ? value : masked);
    // A character that is cut in two is left out.
    return [
      name,
      bytes.length > MOST_BYTES ? new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true }) : value,
    ];
  });
  return JSON.stringify(Object.fromEntries(shown));
}

/** An answer with properties of a message gives these, any other is the payload. */
function answered(message: object, answer: unknown): never {
  const isProperties = ["payload", "statusCode"].some((name) => Object.hasOwn(Object(answer), name));
  return Object.assign(message, isProperties ? answer : { payload: answer }) as never;
}
