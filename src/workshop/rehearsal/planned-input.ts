import { fillVariables, variableOf } from "../../fields/variable";
import { isSecret, senderOf, withSecret } from "../../runtime/node-red/webhook-secret";
import { comparable } from "../../runtime/nodes/webhook/settings";
import { type FlowNode, runs } from "../lint/flow-node";
import type { NodeNames } from "./node-names";
import { standIn } from "./variables";
import { CannotRehearse, type WorldInput } from "./world";

export interface PlannedInput {
  /** Epoch milliseconds, as all instants of a plan. */
  readonly at: number;
  readonly kind: "post" | "get" | "inject" | "node";
  /** A path as the world has it, or a node's id. */
  readonly target: string;
  /** The path, with values in place of `${NAME}`. */
  readonly path: string;
  readonly method: string;
  /** Their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a request, a text; or the message. */
  readonly body: unknown;
}

/**
 * Creates stand-ins for the secrets of webhooks.
 * @param values of variables; the secrets are added under the names that inputs have for them
 * @param hidden the names of credentials, which are added, too
 */
export function webhooksOf(
  flows: readonly FlowNode[],
  names: NodeNames,
  values: Map<string, string>,
  hidden: Set<string>,
  seed: number,
) {
  const credentials: Record<string, { readonly secret: string }> = {};
  const all = flows.filter(({ type }) => type === "telephony-webhook");
  for (const webhook of all) {
    const { id, credentials: own } = webhook;
    // As the credentials of other nodes are named.
    const name = variableOf(Object(own).secret) ?? `${id}_secret`.replaceAll(/\W/g, "_");
    const { scheme } = senderOf(webhook);
    const made = scheme === "standard" ? Buffer.from(standIn(name, seed)).toString("base64") : standIn(name, seed);
    const value = values.get(name) ?? made;
    values.set(name, value);
    hidden.add(name);
    credentials[id] = { secret: isSecret(value, scheme) ? value : made };
  }
  const running = all.filter((node) => runs(node, (id) => names.find(String(id))));
  const authorized = (input: PlannedInput, messageId: string): PlannedInput => {
    const [address = ""] = input.path.split("?", 1);
    // Of several with the same path, the first one receives.
    const found = running.find((each) => comparable(String(each["path"])) === comparable(address));
    const { secret } = credentials[found?.id ?? ""] ?? {};
    if (!found || secret === undefined || (input.kind !== "post" && input.kind !== "get")) return input;
    const sender = { ...senderOf(found), secret };
    const headers = withSecret(input.headers, input.path, String(input.body), sender, input.at, messageId);
    return { ...input, headers };
  };
  return { credentials, authorized };
}

export function planned(
  input: WorldInput,
  at: number,
  names: NodeNames,
  read: (name: string) => string | undefined,
): PlannedInput {
  if ("get" in input) {
    const { get, ...rest } = input;
    return { ...planned({ ...rest, post: get, method: "GET" }, at, names, read), kind: "get" };
  }
  const common = { at, method: "POST", headers: {}, body: undefined, path: "" };
  if ("inject" in input) return { ...common, kind: "inject", target: names.runningIdOf(input.inject) };
  if ("node" in input) return { ...common, kind: "node", target: names.runningIdOf(input.node), body: input.msg };
  const { post: target, body: given } = input;
  const [address = ""] = target.split("?", 1);
  const readEncoded = (name: string) => {
    const value = read(name);
    return value && encodeURIComponent(value);
  };
  const path = address + fillVariables(target.slice(address.length), readEncoded);
  const method = (input.method ?? "POST").toUpperCase();
  const isText = typeof given === "string";
  const body = isText ? given : given === undefined ? "" : JSON.stringify(given);
  const own = body !== "" && { "content-type": isText ? "text/plain" : "application/json" };
  const entries = Object.entries(input.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    fillVariables(value, read),
  ]);
  return { at, kind: "post", target, path, method, headers: { ...own, ...Object.fromEntries(entries) }, body };
}

/**
 * Refuses a request that only a node would receive which is not rehearsed.
 * @throws CannotRehearse
 */
export function checkReceiver(
  { kind, path }: PlannedInput,
  all: readonly FlowNode[],
  running: readonly FlowNode[],
): void {
  if (kind !== "post" && kind !== "get") return;
  const [address = ""] = path.split("?", 1);
  const receives = ({ type, path: own, url }: FlowNode) => {
    const given = type === "telephony-webhook" ? own : type === "http in" ? url : undefined;
    return given !== undefined && comparable(String(given)) === comparable(address);
  };
  if (all.some(receives) && !running.some(receives))
    throw new CannotRehearse(`Nothing can come in at ${address}, because its flow is not rehearsed: choose it, too.`);
}
