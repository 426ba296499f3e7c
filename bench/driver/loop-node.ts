import type { Node, NodeAPI, NodeDef, NodeMessage } from "node-red";
import type { Begin } from "./closed-loop";
import { failed } from "./failed";
import type { Subject } from "./subject";
import { undiciAlone } from "./undici-alone";

/** A message on its round through a flow. */
type Round = NodeMessage & { lane?: number };

/** Source and sink in one: what it sends comes back to it from the end of the flow. */
export interface LoopNode extends Node {
  /** Hears of each message that comes back. */
  arrived: (message: Round) => void;
}

export function registerLoop(RED: NodeAPI): void {
  RED.nodes.registerType("bench-loop", function (this: LoopNode, config: NodeDef) {
    RED.nodes.createNode(this, config);
    this.arrived = () => {};
    this.on("input", (message, _, done) => {
      this.arrived(message);
      done();
    });
  });
  RED.nodes.registerType("bench-pass", function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    this.on("input", (message, send, done) => {
      send(message);
      done();
    });
  });
  // The least that a node can be which asks for something: what is above it is the package's.
  RED.nodes.registerType("bench-bare", function (this: Node, config: NodeDef & { origin: string; subject: Subject }) {
    RED.nodes.createNode(this, config);
    const ask = undiciAlone(config.origin).ask(config.subject);
    this.on("input", (message: NodeMessage & { payload?: unknown }, send, done) => {
      ask(message.payload).then((envelope) => {
        message.payload = envelope;
        send(message);
        done();
      }, failed);
    });
  });
  // Behind a Catch node.
  RED.nodes.registerType("bench-failed", function (this: Node, config: NodeDef) {
    RED.nodes.createNode(this, config);
    this.on("input", (message: NodeMessage & { error?: { message: string } }) => failed(message.error?.message));
  });
}

let messages = 0;

/** A message's round through the flow behind a loop node. Each message is a new one, as a flow's are. */
export function round(loop: LoopNode, payload: () => unknown): Begin {
  const waiting: (() => void)[] = [];
  loop.arrived = ({ lane = 0 }) => waiting[lane]?.();
  return (lane, ended) => {
    waiting[lane] = ended;
    messages += 1;
    // With an id, since making one is the sender's expense, and no node of the flow under test is the first to send.
    const message: Round = { _msgid: `message ${messages}`, lane, payload: payload() };
    loop.send(message);
  };
}
