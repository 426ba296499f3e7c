import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { NodeAPI } from "node-red";
import { attempt } from "../../../json/rules";
import { setAt } from "../../../json/set-at";
import { packageFolder } from "../../../page/document";
import { LOGINS } from "../../../runtime/node-red/webhook-secret";
import { lastRequests, type Received } from "../../../runtime/nodes/webhook/last-requests";
import type { NodeDeclaration } from "../../../runtime/register";
import type { FlowNode } from "../../lint/flow-node";
import { Graph } from "../../lint/graph";
import { fieldsRead } from "../../lint/read-fields";
import { type FlowTest, readTests } from "../../rehearsal/flow-test";
import type { WorldInput } from "../../rehearsal/world";
import { maskOf, maskPath, secretsOf } from "./secrets";

/** An input of a rehearsal, to be given at an instant. */
export type GivenInput = WorldInput extends infer Input ? (Input extends unknown ? Omit<Input, "at"> : never) : never;

/** A way in which something can come into a flow. */
export interface Offer {
  readonly nodeId: string;
  readonly kind: "telephony-webhook" | "http in" | "inject";
  /** The id of its tab. */
  readonly flow: string;
  /** The requests that it has received, the newest first, and last a made-up one. Of an inject node, its button. */
  readonly inputs: readonly { readonly at?: number; readonly input: GivenInput }[];
  /** The time at which an inject node fires by itself: `08:00`, a cron expression, `30 s`, or `start`. */
  readonly byItself?: string;
}

/** Tests of an example whose tab is there. */
export interface ExampleTests {
  readonly flow: string;
  readonly tests: readonly FlowTest[];
}

const MOST_FIELDS = 20;
const NUMBER = "0900000001";
const NAMES_A_NUMBER = /phone|number|mobile|^tel|^to$/i;
/** Besides Content-Type: headers in which senders have an id of the request, which a message has as `requestId`. */
const IDS = ["idempotency-key", "webhook-id", "svix-id", "x-github-delivery", "x-shopify-webhook-id"];
/** Headers that Node.js or the client makes; their names occur in flows by chance. */
const PLAIN = /^\w+$/;

/** The inputs that flows can get as they stand in an editor. */
export function offersOf(RED: NodeAPI, declarations: readonly NodeDeclaration[], flows: readonly FlowNode[]) {
  const graph = new Graph(flows, declarations);
  const inFlow = flows.filter((node) => graph.runs(node) && graph.node(node["z"])?.type === "tab");
  const read = receivedReader(RED, flows);
  return inFlow.flatMap((node): Offer[] => {
    const about = { nodeId: node.id, flow: String(node["z"]) };
    if (node.type === "inject")
      return [{ ...about, kind: "inject", inputs: [{ input: { inject: node.id } }], ...byItself(node) }];
    if (node.type !== "telephony-webhook" && node.type !== "http in") return [];
    const received = node.type === "http in" ? [] : lastRequests(node.id).map(read);
    return [{ ...about, kind: node.type, inputs: [...received, { input: madeUp(node, graph) }] }];
  });
}

/** Makes a function that turns what was received into an input without secrets, with the headers that the flows name. */
export function receivedReader(RED: NodeAPI, flows: readonly FlowNode[]) {
  const [mask, text] = [maskOf(secretsOf(RED)), JSON.stringify(flows).toLowerCase()];
  const isNamed = (name: string) => {
    if (name === "content-type" || (IDS.includes(name) && text.includes("requestid"))) return true;
    // `headers.shop`, `headers["x-shop"]`: within JSON, quotes have a backslash.
    if (PLAIN.test(name)) return new RegExp(`headers(?:\\.|\\[\\\\?["'])${name}(?!\\w)`).test(text);
    return new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w-]/g, "\\$&")}(?![\\w-])`).test(text);
  };
  return ({ at, method, path, headers, body }: Received): { readonly at: number; readonly input: GivenInput } => {
    const own = Object.entries(headers).filter(([name, value]) => {
      // What was a form is sent as JSON.
      if (name === "content-type" && typeof body === "object" && !/json/i.test(value)) return false;
      return isNamed(name) && !LOGINS.includes(name);
    });
    const about = { ...(own.length > 0 && { headers: mask(Object.fromEntries(own)) }) };
    const target = maskPath(path, mask);
    if (method === "GET") return { at, input: { get: target, ...about } };
    return { at, input: { post: target, ...(method !== "POST" && { method }), ...about, body: mask(body) } };
  };
}

/** A request with the fields that the nodes behind read: a number to call, and texts. */
function madeUp(node: FlowNode, graph: Graph): GivenInput {
  const numbers = graph.after(node).map((each) => String(each["toNumber"] ?? ""));
  const fields = fieldsRead(node, graph).slice(0, MOST_FIELDS);
  const body = {};
  for (const path of fields) {
    const name = path.join(".");
    const isNumber =
      NAMES_A_NUMBER.test(String(path.at(-1))) || numbers.some((each) => each.includes(`payload.${name}`));
    setAt(body, path, isNumber ? NUMBER : String(path.at(-1)));
  }
  const path = `/${String(node["path"] ?? node["url"])}`.replace(/^\/+/, "/").replaceAll(/:\w+/g, "1");
  const method = String(node["method"] ?? "post").toUpperCase();
  if (method !== "GET") return { post: path, ...(method !== "POST" && { method }), ...(fields.length > 0 && { body }) };
  const query = new URLSearchParams(body as Record<string, string>).toString();
  return { get: path + (query && `?${query}`) };
}

function byItself({ repeat, crontab, once }: FlowNode): Pick<Offer, "byItself"> {
  const [, minute, hour] = /^(\d{1,2}) (\d{1,2}) /.exec(String(crontab ?? "")) ?? [];
  const time = hour && `${hour.padStart(2, "0")}:${minute?.padStart(2, "0")}`;
  const when = time ?? (crontab || (Number(repeat) > 0 && `${String(repeat)} s`) || (once === true && "start"));
  return when ? { byItself: String(when) } : {};
}

/** The tests of the examples whose names tabs have, as far as a file can have them. */
export function exampleTests(flows: readonly FlowNode[]): readonly ExampleTests[] {
  const folder = join(packageFolder, "examples");
  const files = attempt(() => readdirSync(folder)) ?? [];
  return flows.flatMap(({ id, type, label }) => {
    const file = files.find(
      (name) => name.endsWith(".tests") && basename(name, ".tests") === String(label).replaceAll(":", ""),
    );
    if (type !== "tab" || file === undefined) return [];
    const tests = attempt(() => readTests(JSON.parse(readFileSync(join(folder, file), "utf8"))));
    return tests ? [{ flow: id, tests }] : [];
  });
}
