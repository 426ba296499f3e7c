import { isGiven, pairOf } from "../../../src/fields";
import { nodeProperties } from "../../../src/runtime/node-properties";
import type { Rule } from "../../../src/workshop/lint/rules";
import { NODES } from "../../support/node-types";

export interface TestNode {
  id: string;
  type: string;
  wires?: string[][] | undefined;
  [property: string]: unknown;
}

/** The finding that a mutation must lead to. */
export interface Planted {
  readonly rule: Rule;
  readonly nodeId: string;
}

/** Changes a flow in place; `undefined` if the flow has nothing to change in this way. */
export type Mutation = (flow: TestNode[], pick: <T>(from: readonly T[]) => T | undefined) => Planted | undefined;

const declarationOf = ({ type }: TestNode) => NODES.find((each) => each.type === type);
const ours = (flow: TestNode[]) => flow.filter((node) => declarationOf(node));
const ofType = (flow: TestNode[], ...types: string[]) => flow.filter(({ type }) => types.includes(type));
const OUT = ["call-out"];
const PLACING = ["call-out", "call-escalate"];
const DIALLING = ["call-out", "call-transfer"];
const CALLS = [...PLACING, "call-stop", "call-transfer", "call-add-user"];
const TENANT = ["telephony-tenant"];

/** Sets properties of a node that the mutation picks. */
const set =
  (types: readonly string[], rule: Rule, properties: Record<string, unknown>): Mutation =>
  (flow, pick) => {
    const node = pick(ofType(flow, ...types));
    if (!node) return undefined;
    Object.assign(node, properties);
    return { rule, nodeId: node.id };
  };

/** Puts a new node in front of another. */
function before(flow: TestNode[], node: TestNode, inserted: TestNode): void {
  for (const each of flow)
    each.wires = each.wires?.map((port) => port.map((id) => (id === node.id ? inserted.id : id)));
  flow.push({ ...inserted, z: node["z"], wires: [[node.id]] });
}

const inFront =
  (rule: Rule, inserted: TestNode, at: "node" | "inserted" | "tenant", changes: object = {}): Mutation =>
  (flow, pick) => {
    const node = pick(ofType(flow, "call-out"));
    const tenant = flow.find(({ id }) => id === node?.["tenant"]);
    if (!node || !tenant) return undefined;
    Object.assign(node, { onceKey: "", onceKeyType: "str" });
    Object.assign(tenant, changes);
    before(flow, node, inserted);
    return { rule, nodeId: { node, inserted, tenant }[at].id };
  };

const LIVE = { mode: "live", url: "https://acme.example.com", allow: [], allowType: "list", block: [], perNumber: "0" };
const WEBHOOK = { id: "new", type: "telephony-webhook", path: "new" };
export const fixed = (property: string, value: unknown, type = "str") => ({
  [property]: value,
  [`${property}Type`]: type,
});
const blocked = (...numbers: string[]) => fixed("block", numbers, "list");
const external = (number: unknown) => ({ ...fixed("toNumber", number), ...fixed("toKind", "external") });

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "a misspelt property": (flow, pick) => {
    const node = pick(ours(flow));
    const declaration = node && declarationOf(node);
    const name = declaration && pick(nodeProperties(declaration).filter(({ property }) => property in node))?.property;
    if (!node || !name || name.length < 4) return undefined;
    node[`${name.slice(0, 2)}${name.slice(3)}`] = node[name];
    delete node[name];
    return { rule: "unknown-property", nodeId: node.id };
  },
  "a wrong choice": (flow, pick) => {
    const choices = ours(flow).flatMap((node) =>
      nodeProperties(declarationOf(node) as never).flatMap(({ property, setting }) =>
        setting?.choices ? [{ node, property }] : [],
      ),
    );
    const picked = pick(choices);
    if (!picked) return undefined;
    picked.node[picked.property] = "bogus";
    return { rule: "wrong-choice", nodeId: picked.node.id };
  },
  "a value without its type": (flow, pick) => {
    const typed = ours(flow).flatMap((node) =>
      nodeProperties(declarationOf(node) as never).flatMap(({ property, type }) =>
        type !== undefined && isGiven(node[property]) ? [{ node, property }] : [],
      ),
    );
    const picked = pick(typed);
    if (!picked) return undefined;
    delete picked.node[`${picked.property}Type`];
    return { rule: "missing-type", nodeId: picked.node.id };
  },
  "a wrong choice of a pair": set([...DIALLING, "call-add-user"], "wrong-choice", fixed("toKind", "phone")),
  "no tenant": set(CALLS, "missing-tenant", { tenant: "" }),
  "an unknown tenant": set(CALLS, "unknown-tenant", { tenant: "nowhere" }),
  "a tenant that was deleted": (flow, pick) => {
    const node = pick(ofType(flow, ...CALLS));
    const index = flow.findIndex(({ id }) => id === node?.["tenant"]);
    if (!node || index < 0) return undefined;
    flow.splice(index, 1);
    return { rule: "unknown-tenant", nodeId: node.id };
  },
  "a required field that is empty": (flow, pick) => {
    const fields = ours(flow).flatMap((node) =>
      nodeProperties(declarationOf(node) as never).flatMap(({ property, field }) =>
        field?.required && field.default === undefined && pairOf(node, property) ? [{ node, property }] : [],
      ),
    );
    const picked = pick(fields);
    if (!picked) return undefined;
    Object.assign(picked.node, fixed(picked.property, ""));
    return { rule: "missing-value", nodeId: picked.node.id };
  },
  "nothing to say": set(OUT, "missing-value", { ...fixed("actions", [], "list"), ...fixed("answerUrl", "") }),
  "nothing to say, as JSON": set(OUT, "missing-value", {
    ...fixed("actions", "[]", "json"),
    ...fixed("answerUrl", ""),
  }),
  "a row with nothing to say": set(OUT, "missing-value", {
    ...fixed("actions", [{ action: "talk", text: " ", textType: "str" }], "list"),
    ...fixed("answerUrl", ""),
  }),
  "letters in a number": set(DIALLING, "refused-value", external("sip:ada")),
  "an answer address that is none": set(PLACING, "refused-value", fixed("answerUrl", "acme/answer")),
  "repeats that are no number": set(
    PLACING,
    "refused-value",
    fixed("actions", [{ action: "talk", text: "Hello", textType: "str", loop: "x" }], "list"),
  ),
  "a template that is not closed": set(DIALLING, "refused-value", fixed("toNumber", "{{payload.to", "mustache")),
  "a path that is none": set(DIALLING, "refused-value", fixed("onceKey", "payload..id", "msg")),
  "an unknown input type": set(DIALLING, "refused-value", fixed("toNumber", "payload.to", "message")),
  "a time limit that is no time": set(OUT, "refused-value", fixed("notAfter", "tomorrow")),
  "a calendar that is no address": set(
    ["business-hour-gate"],
    "refused-value",
    fixed("exceptions", "acme/holidays", "url"),
  ),
  "a rate out of range": set(TENANT, "refused-value", { rate: "-1" }),
  "an unknown time zone": set(TENANT, "refused-value", { timezone: "Mars/Olympus" }),
  "a live tenant without an address": set(TENANT, "missing-value", { mode: "live", url: "" }),
  "a number as a JSON number": set(DIALLING, "number-not-text", external(901234567)),
  "no Catch node": (flow, pick) => {
    const node = pick(ofType(flow, ...CALLS));
    if (!node) return undefined;
    for (const each of ofType(flow, "catch")) each["d"] = true;
    return { rule: "uncaught-failure", nodeId: node.id };
  },
  "an http in before what acts": (flow, pick) => {
    const node = pick(ofType(flow, ...CALLS, "business-hour-ensure", "telephony-control"));
    if (!node || ["count", "list"].includes(String(node["command"]))) return undefined;
    flow.push({ id: "new", type: "http in", z: node["z"], wires: [[node.id]] });
    return { rule: "open-webhook", nodeId: "new" };
  },
  "a webhook before a call without a key": inFront("no-deduplication-key", WEBHOOK, "node"),
  "a webhook before a call whose key is never repeated": (flow, pick) => {
    const planted = inFront("no-deduplication-key", WEBHOOK, "node")(flow, pick);
    Object.assign(flow.find(({ id }) => id === planted?.nodeId) ?? {}, fixed("onceKey", "_msgid", "msg"));
    return planted;
  },
  "a split before a call": inFront("no-deduplication-key", { id: "new", type: "split" }, "node"),
  "a function that sends several messages": inFront(
    "no-deduplication-key",
    { id: "new", type: "function", func: "return [msg.payload.map((payload) => ({ payload }))];" },
    "node",
  ),
  "a Delay before a call": inFront(
    "delay-before-call",
    { id: "new", type: "delay", pauseType: "delay", timeout: "5", timeoutUnits: "minutes" },
    "inserted",
  ),
  "a guard from a message": set(TENANT, "refused-value", fixed("block", "payload", "msg")),
  "a blocked extension behind no number": set(TENANT, "refused-value", {
    country: "VN",
    ...blocked("113", "091x2345678"),
  }),
  "a blocked number in hexadecimal": set(TENANT, "refused-value", { country: "", ...blocked("0x10") }),
  "calling exceptions from a message": set(TENANT, "refused-value", fixed("callingExceptions", "payload", "msg")),
  "a live tenant with an empty guard": inFront("no-guard", { id: "new", type: "split" }, "tenant", {
    ...LIVE,
    ...fixed("allow", "[]", "json"),
  }),
  "a live tenant without a guard": inFront("no-guard", { id: "new", type: "csv", multi: "one" }, "tenant", LIVE),
};
