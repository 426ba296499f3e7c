import { request } from "node:http";
import type { PlannedInput } from "../planned-input";
import type { Plan } from "../prepare";
import type { NodeRed, RuntimeNode } from "./observe";
import { report } from "./output";

/** Of an answer, in the report. */
const MOST_CHARACTERS = 10_000;
/** The port at which flows expect their Node-RED. The one that listens is another one each time. */
export const UI_PORT = 1880;
const HOST = `127.0.0.1:${UI_PORT}`;

/** Lets something come in: a request, a press of an inject node's button, or a message at any node. */
export function give(RED: NodeRed, port: number, plan: Plan, input: PlannedInput, index: number): void {
  if (input.kind === "post" || input.kind === "get") {
    post(port, input, index);
    return;
  }
  const node = RED.nodes.getNode(input.target);
  report({ kind: "input", index, status: null, body: null });
  const message = structuredClone(input.body) as object;
  if (!node) return;
  if (input.kind === "inject") node.receive();
  // What comes in at an MQTT node, or one like it, is what it sends.
  else if (isSource(node, plan)) node.send(message);
  else node.receive(message);
}

function isSource({ id, isOutside, _inputCallback, _inputCallbacks }: RuntimeNode, { sources }: Plan): boolean {
  if (!_inputCallback && !_inputCallbacks) return true;
  return isOutside === true && sources.includes(id);
}

function post(port: number, { method, path, headers, body }: PlannedInput, index: number): void {
  const options = { port, host: "127.0.0.1", method, path: escaped(path), agent: false };
  const outgoing = request({ ...options, headers: { host: HOST, ...headers } });
  const failed = () => report({ kind: "input", index, status: null, body: null });
  outgoing.on("error", failed);
  outgoing.on("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", failed);
    response.on("end", () => {
      const answer = Buffer.concat(chunks).toString().slice(0, MOST_CHARACTERS);
      report({ kind: "input", index, status: response.statusCode ?? null, body: answer });
    });
  });
  outgoing.end(body);
}

/** Escapes a path as a browser does: blanks and letters beyond ASCII cannot be in the first line of a request. */
function escaped(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/gu, (text) => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&"));
}
