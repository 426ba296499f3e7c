import { isGiven, pairOf } from "../../fields";
import { wrongPlaceholder } from "../../fields/kinds/action-row";
import { textOfRow } from "../../fields/sources/property";
import { knownProperties } from "../../runtime/node-properties";
import { type FlowNode, list, observes } from "./flow-node";
import { sendsSeveral } from "./function-code";
import { type Graph, TENANT } from "./graph";
import { numberAsJson, parsed } from "./numbers";
import { isEmpty } from "./properties";
import type { Rule } from "./rules";
import { nobodyAcknowledges, noResponse, personTwice, twiceOnPath, WEBHOOK, wiredToNothing } from "./senders";

/** Finds what can go wrong with a node that runs, although it is configured as it may be: sentences with a remedy. */
type Check = (node: FlowNode, graph: Graph) => string | readonly string[] | undefined;

export const CHECKS: readonly (readonly [Rule, Check])[] = [
  ["uncaught-failure", uncaught],
  ["number-not-text", (node, graph) => (isCallNode(node, graph) ? numberAsJson(node, graph) : undefined)],
  ["wrong-placeholder", (node, graph) => (isCallNode(node, graph) ? placeholder(node) : undefined)],
  ["no-deduplication-key", withoutKey],
  ["no-guard", withoutGuard],
  ["delay-before-call", delay],
  ["waits-before-response", waits],
  ["waits-before-response", ignored],
  ["open-webhook", open],
  ["twice-on-path", twiceOnPath],
  ["wired-to-nothing", wiredToNothing],
  ["no-response", noResponse],
  ["nobody-acknowledges", nobodyAcknowledges],
  ["person-twice", personTwice],
];

/** Whether a node acts on calls, or places them. */
function isCallNode(node: FlowNode, graph: Graph): boolean {
  const declaration = graph.declaration(node);
  if (declaration?.kind === "escalation" || declaration?.kind === "list") return true;
  return declaration?.kind === "action" && declaration.lane !== undefined && declaration.lane !== "other";
}

export function placesCalls(node: FlowNode, graph: Graph): boolean {
  const declaration = graph.declaration(node);
  return declaration !== undefined && "effect" in declaration && declaration.effect === "placed";
}

/** Whether a node calls each row of a list: what becomes of a row is on its first output, also a failure. */
function callsRows(node: FlowNode, graph: Graph): boolean {
  return graph.declaration(node)?.kind === "list";
}

function uncaught(node: FlowNode, graph: Graph): string | undefined {
  return isCallNode(node, graph) && !callsRows(node, graph) && !isCaught(node, graph) ? UNCAUGHT : undefined;
}

const UNCAUGHT =
  "No Catch node takes the failures of this node, so nobody learns that a call was not placed. Add a Catch node to its tab.";

function placeholder(node: FlowNode): string | undefined {
  const isJson = node["actionsType"] === "json";
  const rows = list(isJson ? parsed(node["actions"]) : node["actions"]);
  const written = rows.map((row) => (isJson ? { type: "str", value: Object(row).text } : textOfRow(row)));
  const [found] = written.flatMap(({ value, type }) => {
    const wrong = wrongPlaceholder(value, type);
    return wrong === undefined ? [] : [{ wrong, type }];
  });
  if (!found) return undefined;
  const { wrong, type } = found;
  const withType = type === "mustache" ? "" : ", with the type mustache (text with {{fields}})";
  const remedy =
    type === "mustache" && wrong.startsWith("{{")
      ? "Write {{payload.name}}, without msg."
      : `${wrong} is spoken as it stands. Write {{payload.name}}${withType}.`;
  return `Not a field of the message: a text of "actions" has ${wrong}. ${remedy}`;
}

function withoutKey(node: FlowNode, graph: Graph): string | undefined {
  if (callsRows(node, graph)) return listAgain(node, graph);
  if (!placesCalls(node, graph) || graph.declaration(node)?.kind !== "action" || hasKey(node)) return undefined;
  const several = severalBefore(node, graph);
  if (several)
    return `Calls without a key: ${graph.described(several)} makes several messages of one, and a repeated one calls everybody twice. Set "Only once per" to what is different in each, such as an order number.`;
  const webhook = graph.before(node).find(answersOutcome);
  return (
    webhook &&
    `Calls without a key: senders repeat a request that ${graph.described(webhook)} answers with 503 or 504, or not in time, and each repetition calls again. Set "Only once per" to what identifies the event in its body, such as an order number.`
  );
}

/** A list whose rows are remembered within it only, behind a webhook. */
function listAgain(node: FlowNode, graph: Graph): string | undefined {
  const isRemembered = !isGiven(node["onceFor"]) || Number(node["onceFor"]) !== 0;
  const webhook = isRemembered ? undefined : graph.before(node).find(answersOutcome);
  return (
    webhook &&
    `Calls without a key: senders repeat a request that ${graph.described(webhook)} answers with 503 or 504, or not in time, and each repetition calls the whole list again. Set "Not again for" (onceFor) to the seconds in which a row is not called again.`
  );
}

/** A webhook whose sender is told what became of the call. */
function answersOutcome({ type, answer }: FlowNode): boolean {
  return type === WEBHOOK && (!isGiven(answer) || answer === "outcome");
}

/** The values that differ in each message: no repetition has the same key. */
const DIFFERENT = /\b_msgid\b|\bwebhook\.(?:id|at)\b|\$(?:millis|now|random|uuid)\b/;

function hasKey(node: FlowNode): boolean {
  const { value, type } = pairOf(node, "onceKey") ?? { value: "", type: "" };
  return isGiven(value) && !(["msg", "jsonata", "mustache"].includes(type) && DIFFERENT.test(String(value)));
}

/** A live tenant whose calls come from several messages of one. */
function withoutGuard(tenant: FlowNode, graph: Graph): string | undefined {
  if (tenant.type !== TENANT || (isGiven(tenant["mode"]) && tenant["mode"] !== "live") || isGuarded(tenant))
    return undefined;
  const callers = graph.nodes.filter(
    (node) => node["tenant"] === tenant.id && graph.runs(node) && placesCalls(node, graph),
  );
  for (const caller of callers) {
    const from = callsRows(caller, graph) ? caller : severalBefore(caller, graph);
    if (from)
      return `No guard: the tenant is live, and ${graph.described(from)} may ${from === caller ? "" : `let "${graph.label(caller)}" `}call any number any number of times. Set "Calls per number", "Call only" or "Never call" in the tenant.`;
  }
  return undefined;
}

function isGuarded(tenant: FlowNode): boolean {
  const perNumber = tenant["perNumber"];
  const isSet = (list: string) => !isEmpty(tenant[`${list}Type`] === "json" ? parsed(tenant[list]) : tenant[list]);
  return isSet("allow") || isSet("block") || (isGiven(perNumber) && Number(perNumber) !== 0);
}

const SECONDS: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

function delay(node: FlowNode, graph: Graph): readonly string[] {
  const isLong = node.type === "delay" && longestDelay(node) > 60;
  const callers = isLong ? graph.after(node).filter((each) => placesCalls(each, graph)) : [];
  return [...new Set(callers.map((caller) => forgotten(caller, graph)))];
}

function forgotten(caller: FlowNode, graph: Graph): string {
  const declaration = graph.declaration(caller);
  const remedy =
    declaration && knownProperties(declaration).includes("notBefore")
      ? 'Set "Not before" (notBefore) in that node instead: it outlives deploys and restarts.'
      : "Start it at the time it is due instead, with an Inject node or a business-hour-trigger, or delay it by at most a minute: that node cannot be given a date.";
  return `A deploy forgets the messages in this Delay, and their calls to "${graph.label(caller)}" with them. ${remedy}`;
}

/** The longest delay in seconds. A limit of the rate is no delay. */
function longestDelay({ pauseType, timeout, timeoutUnits, randomLast, randomUnits }: FlowNode): number {
  if (pauseType === "random") return Number(randomLast) * (SECONDS[String(randomUnits)] ?? 1);
  if (pauseType !== undefined && pauseType !== "delay" && pauseType !== "delayv") return 0;
  return Number(timeout) * (SECONDS[String(timeoutUnits)] ?? 1);
}

/** A call-out that may wait for hours or days, while the sender of the HTTP request waits for the answer behind it. */
function waits(node: FlowNode, graph: Graph): string | undefined {
  if (node.type !== "call-out") return undefined;
  const restsAtNight = isGiven(graph.tenantOf(node)?.["callingHours"]) && !/^(true|1|on)$/.test(`${node["anytime"]}`);
  const waitsFor = isGiven(pairOf(node, "notBefore")?.value) ? "its date" : restsAtNight ? "calling hours" : "";
  const response = responseBehind(node, graph);
  if (waitsFor === "" || !response) return undefined;
  return `The sender of the HTTP request may get no answer: this call may wait for ${waitsFor}, and ${graph.described(response)} behind it answers after that. Answer beside the call, with status 202, not behind it.`;
}

/** The HTTP Response node behind a node that requests reach. */
function responseBehind(node: FlowNode, graph: Graph): FlowNode | undefined {
  const isLeftToFlow = ({ type, answer }: FlowNode) => type === "http in" || (type === WEBHOOK && answer === "flow");
  if (!graph.before(node).some(isLeftToFlow)) return undefined;
  return graph.after(node).find(({ type }) => type === "http response");
}

/** A node that ends a repeated message without output, between a request and its response. */
function ignored(node: FlowNode, graph: Graph): string | undefined {
  const isIgnored = node["onceAgain"] === "ignore" && isGiven(pairOf(node, "onceKey")?.value);
  if (!isIgnored || !responseBehind(node, graph)) return undefined;
  return 'The sender of a repeated request gets no answer: with "If repeated: ignore", the message ends in this node, and the http response behind it is not reached. Answer beside this node, or choose "refuse" and answer from a Catch node.';
}

/** An HTTP In node from which a request reaches a node that acts: nothing of ours asks who sends it. */
function open(node: FlowNode, graph: Graph): string | undefined {
  const reached = node.type === "http in" ? graph.after(node).find((each) => isActing(each, graph)) : undefined;
  if (!reached) return undefined;
  return `Anybody can send requests to this address, and they can reach ${graph.described(reached)}: an http in node checks no secret. Receive them with a webhook node (telephony-webhook), which does, and answers with the outcome.`;
}

/** Whether a node changes something at the service, or what waits. */
function isActing(node: FlowNode, graph: Graph): boolean {
  const declaration = graph.declaration(node);
  if (declaration?.kind === "control") return node["command"] !== "count" && node["command"] !== "list";
  return declaration !== undefined && "effect" in declaration && declaration.effect !== "none";
}

/** Whether a Catch node takes the failures of a node: in its tab or subflow, else where the subflow is used. */
function isCaught(node: FlowNode, graph: Graph): boolean {
  const catches = graph.nodes.filter((each) => each.type === "catch" && graph.runs(each));
  if (catches.some((each) => observes(each, node, (id) => graph.node(id)))) return true;
  const instances = graph.nodes.filter(({ type }) => type === `subflow:${String(node["z"])}`);
  return instances.length > 0 && instances.every((instance) => isCaught(instance, graph));
}

/** A node before another that makes several messages of one, unless they are one again in between. */
function severalBefore(node: FlowNode, graph: Graph): FlowNode | undefined {
  return graph.before(node, staysSeveral).find(makesSeveral);
}

function staysSeveral({ type }: FlowNode): boolean {
  return type !== "join" && type !== "batch";
}

function makesSeveral(node: FlowNode): boolean {
  switch (node.type) {
    case "split":
      return true;
    case "csv":
      return node["multi"] !== "mult";
    case "business-hour-list":
      return node["output"] === "each";
    case "function":
      return sendsSeveral(String(node["func"] ?? ""));
    default:
      return false;
  }
}
