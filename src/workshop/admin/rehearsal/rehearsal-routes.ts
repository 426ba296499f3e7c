import { basename, dirname, join } from "node:path";
import type { Request } from "express";
import type { NodeAPI } from "node-red";
import { variableOf } from "../../../fields/variable";
import { isObject } from "../../../json/rules";
import { perNode } from "../../../runtime/node-red/node-state";
import type { NodeDeclaration } from "../../../runtime/register";
import { sandboxOf } from "../../../runtime/tenants/sandboxes";
import { copiesOf } from "../../../runtime/tenants/tenants";
import type { FlowNode } from "../../lint/flow-node";
import type { RunningNodeRed } from "../../rehearsal/options";
import { namedIn } from "../../rehearsal/variables";
import { type Body, Content } from "../http";
import { loadTests, saveTests, testsFile } from "./flow-tests-file";
import { exampleTests, offersOf } from "./offers";
import { type RehearsalState, Rehearsals } from "./rehearsals";
import { credentialsOf, LEAST_PART } from "./secrets";
import { waitForRequest } from "./wait-for-request";

interface Settings {
  readonly userDir?: string;
  readonly nodesExcludes?: readonly string[];
  readonly functionExternalModules?: boolean;
}

export type { Expectation, FlowTest } from "../../rehearsal/flow-test";

export type TestsAnswer = Awaited<ReturnType<typeof flowTests>>;
export type OffersAnswer = Awaited<ReturnType<typeof offers>>;
export type WaitAnswer = Awaited<ReturnType<typeof waitFor>>;

/** One for all editors: a rehearsal takes a processor of its own. */
const ONLY = "";
const rehearsals = perNode<Rehearsals>("rehearsals");

export const theRehearsals = () => rehearsals.of(ONLY, () => new Rehearsals());

/** The editor alone shows the report in a frame. */
const FRAMED = "frame-ancestors 'self'";

export function reportPage(): Content {
  const headers = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": FRAMED,
  };
  return new Content(theRehearsals().page, { ...headers, "content-type": "text/html; charset=utf-8" });
}

/** Rehearses the flows as they stand in an editor, or runs their tests. */
export async function startRehearsal(RED: NodeAPI, body: Body): Promise<RehearsalState> {
  const all = theRehearsals();
  if (body["stop"] === true) {
    all.stop();
    return all.state;
  }
  const { userDir = "." } = RED.settings as Settings;
  const flows = nodesIn(body).map((node) => withVariable(RED, node));
  return all.start({
    body: { ...body, flows },
    userDir,
    running: runningNodeRed(RED, flows),
    schedules: await schedulesOf(flows),
  });
}

/** The inputs that flows can get as they stand in an editor, and the tests of them. */
export async function offers(RED: NodeAPI, declarations: readonly NodeDeclaration[], body: Body) {
  const flows = nodesIn(body);
  return { ...(await flowTests(RED)), inputs: offersOf(RED, declarations, flows), examples: exampleTests(flows) };
}

export function waitFor(RED: NodeAPI, body: Body, request: Request) {
  return waitForRequest(RED, String(body["node"]), nodesIn(body), request);
}

/** A webhook with the variable that its secret comes from, as a flow file names it. No value of a secret is part of it. */
function withVariable(RED: NodeAPI, node: FlowNode): FlowNode {
  if (node.type !== "telephony-webhook") return node;
  const { secret } = Object(RED.nodes.getCredentials(node.id)) as { readonly secret?: unknown };
  return variableOf(secret) === undefined ? node : { ...node, credentials: { secret } };
}

function nodesIn({ flows }: Body): FlowNode[] {
  return (Array.isArray(flows) ? flows : []).filter(
    (node): node is FlowNode => isObject(node) && typeof node["id"] === "string",
  );
}

/**
 * The tests beside the flow file.
 * @param tests are saved first; a refused one leaves the file as it is
 */
export async function flowTests(RED: NodeAPI, { tests }: Body = {}) {
  const file = testsFile(RED);
  const sentence = (error: Error) => error.message;
  const refused = tests === undefined ? undefined : await saveTests(file, tests).then(() => undefined, sentence);
  const found = await loadTests(file).then(
    (loaded) => ({ tests: loaded, problem: refused }),
    (error: Error) => ({ tests: [], problem: sentence(error) }),
  );
  return { ok: true as const, file: basename(file.path), ...found };
}

/** Describes this Node-RED, as far as flows name it. No value of a credential is part of it. */
function runningNodeRed(RED: NodeAPI, flows: readonly FlowNode[]): RunningNodeRed {
  const { nodesExcludes = [], functionExternalModules } = RED.settings as Settings;
  const main = Object.keys(require.cache).find((file) => file.endsWith(join("node-red", "lib", "red.js")));
  const named = namedIn(flows);
  const credentials = credentialsOf(RED);
  const values = credentials.map(([, value]) => value);
  // "${TOKEN}"
  const namedThere = namedIn(values);
  const variables = Object.entries(process.env).filter(([name]) => named.has(name));
  const isSecret = ([name, value = ""]: (typeof variables)[number]) =>
    namedThere.has(name) ||
    values.some((each) => value === each || (each.length >= LEAST_PART && value.includes(each)));
  return {
    folder: main && dirname(dirname(main)),
    nodesExcludes,
    functionExternalModules: functionExternalModules !== false,
    env: Object.fromEntries(variables.filter((each) => !isSecret(each))) as Record<string, string>,
    credentials: [...credentials.map(([name]) => name), ...variables.filter(isSecret).map(([name]) => name)],
  };
}

/** The schedules that were read, by tenant. */
async function schedulesOf(flows: readonly FlowNode[]): Promise<Record<string, readonly unknown[]>> {
  const tenants = flows.filter(({ type, id }) => type === "telephony-tenant" && typeof id === "string");
  const schedules = await Promise.all(
    tenants.map(async ({ id }) => {
      const sandbox = await sandboxOf(String(id));
      return [String(id), sandbox?.state.schedules.all() ?? copiesOf(String(id))] as const;
    }),
  );
  return Object.fromEntries(schedules.filter(([, list]) => list.length > 0));
}
