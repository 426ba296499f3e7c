import { dirname, join } from "node:path";
import type { NodeAPI } from "node-red";
import { isObject } from "../../json/rules";
import { perNode } from "../../runtime/node-red/node-state";
import { sandboxOf } from "../../runtime/tenants/sandboxes";
import { copiesOf } from "../../runtime/tenants/tenants";
import type { FlowTest } from "../rehearsal/flow-test";
import type { RunningNodeRed } from "../rehearsal/options";
import { namedIn } from "../rehearsal/variables";
import { loadTests, saveTests, testsFile } from "./flow-tests-file";
import { type Body, Content } from "./http";
import { Recorder } from "./recorder";
import { type RehearsalState, Rehearsals } from "./rehearsals";
import { credentialsOf } from "./secrets";

interface Settings {
  readonly userDir?: string;
  readonly nodesExcludes?: readonly string[];
  readonly functionExternalModules?: boolean;
}

export type { Expectation, FlowTest } from "../rehearsal/flow-test";

export type TestsAnswer = Awaited<ReturnType<typeof flowTests>>;

/** A shorter credential may be in another value by chance. */
const LEAST_PART = 8;

/** One for all editors: a rehearsal takes a processor of its own. */
const ONLY = "";
const rehearsals = perNode<Rehearsals>("rehearsals");
const recorders = perNode<Recorder>("recorder");

export const theRehearsals = () => rehearsals.of(ONLY, () => new Rehearsals());

export function reportPage(): Content {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
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
  const flows = (Array.isArray(body["flows"]) ? body["flows"] : []).filter(isObject);
  return all.start({ body, userDir, running: runningNodeRed(RED, flows), schedules: await schedulesOf(flows) });
}

/**
 * The tests beside the flow file, as the tab shows them.
 * @param tests are saved first; a refused one leaves the file as it is
 * @param made of the recording that has just ended
 */
export async function flowTests(RED: NodeAPI, { tests }: Body = {}, made?: FlowTest) {
  const file = testsFile(RED);
  const sentence = (error: Error) => error.message;
  const refused = tests === undefined ? undefined : await saveTests(file, tests).then(() => undefined, sentence);
  const found = await loadTests(file).then(
    (loaded) => ({ tests: loaded, problem: refused }),
    (error: Error) => ({ tests: [], problem: sentence(error) }),
  );
  const recorder = recorders.get(ONLY);
  return {
    ok: true as const,
    file: file.path,
    ...found,
    isRecording: recorder !== undefined,
    /** The inputs since the recording began. */
    recorded: recorder?.count ?? 0,
    made,
  };
}

/** Begins a recording, or ends it and answers with the test that was made of it. */
export async function record(RED: NodeAPI, { on }: Body): Promise<TestsAnswer> {
  if (on === true) {
    recorders.of(ONLY, () => new Recorder(RED));
    return flowTests(RED);
  }
  const recorder = recorders.get(ONLY);
  recorders.delete(ONLY);
  return flowTests(RED, {}, await recorder?.stop());
}

/** This Node-RED, as far as flows name it. No value of a credential is part of it. */
function runningNodeRed(RED: NodeAPI, flows: readonly Body[]): RunningNodeRed {
  const { nodesExcludes = [], functionExternalModules } = RED.settings as Settings;
  const main = Object.keys(require.cache).find((file) => file.endsWith(join("node-red", "lib", "red.js")));
  const named = namedIn(flows);
  const credentials = credentialsOf(RED);
  const values = [...credentials.values()];
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
    credentials: [...credentials.keys(), ...variables.filter(isSecret).map(([name]) => name)],
  };
}

/** The schedules that were read, by tenant. */
async function schedulesOf(flows: readonly Body[]): Promise<Record<string, readonly unknown[]>> {
  const tenants = flows.filter(({ type, id }) => type === "telephony-tenant" && typeof id === "string");
  const schedules = await Promise.all(
    tenants.map(async ({ id }) => {
      const sandbox = await sandboxOf(String(id));
      return [String(id), sandbox?.state.schedules.all() ?? copiesOf(String(id))] as const;
    }),
  );
  return Object.fromEntries(schedules.filter(([, list]) => list.length > 0));
}
