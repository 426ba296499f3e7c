import type { NodeAPI } from "node-red";
import type { FlowTest } from "../../rehearsal/flow-test";
import type { World } from "../../rehearsal/world";
import { perNode } from "../node-red/node-state";
import { sandboxOf } from "../tenants/sandboxes";
import { copiesOf } from "../tenants/tenants";
import { FlowTestsFile } from "./flow-tests-file";
import { type Body, Content } from "./http";
import { Recorder } from "./recorder";
import { type RehearsalState, Rehearsals } from "./rehearsals";
import { secretsOf } from "./secrets";

export type { Expectation, FlowTest } from "../../rehearsal/flow-test";

/** The tests beside the flow file, as the tab shows them. */
export interface TestsAnswer {
  readonly ok: true;
  readonly file: string;
  readonly tests: readonly FlowTest[];
  readonly isRecording: boolean;
  /** The inputs since the recording began. */
  readonly recorded: number;
  /** Why the file cannot be read or written, in sentences. */
  readonly problem?: string;
}

/** One for all editors: a rehearsal takes a processor of its own. */
const ONLY = "";
const rehearsals = perNode<Rehearsals>("rehearsals");
const recorders = perNode<Recorder>("recorder");

const theRehearsals = () => rehearsals.of(ONLY, () => new Rehearsals());

export function rehearsalState(): RehearsalState {
  return theRehearsals().state;
}

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
  const { flows, tests } = body;
  const around = await aroundOf(RED, flows, JSON.stringify(tests ?? body["inputs"] ?? ""));
  const userDir = String((RED.settings as { userDir?: unknown }).userDir ?? ".");
  return Array.isArray(tests)
    ? all.startTests(flows, tests as readonly FlowTest[], around, userDir)
    : all.start(body, around, userDir);
}

export function flowTests(RED: NodeAPI): TestsAnswer {
  const file = new FlowTestsFile(RED);
  const recorder = recorders.get(ONLY);
  const common = {
    ok: true,
    file: file.path,
    isRecording: recorder !== undefined,
    recorded: recorder?.count ?? 0,
  } as const;
  try {
    return { ...common, tests: file.read() };
  } catch (error) {
    return { ...common, tests: [], problem: (error as Error).message };
  }
}

/** Saves all tests; a refused one leaves the file as it is. */
export async function saveTests(RED: NodeAPI, { tests }: Body): Promise<TestsAnswer> {
  try {
    await new FlowTestsFile(RED).write(tests);
    return flowTests(RED);
  } catch (error) {
    return { ...flowTests(RED), problem: (error as Error).message };
  }
}

/** Begins a recording, or ends it and answers with the test that was made of it. */
export async function record(RED: NodeAPI, { on }: Body): Promise<TestsAnswer & { readonly made?: FlowTest }> {
  const recorder = recorders.get(ONLY);
  if (on === true) {
    if (!recorder) recorders.set(ONLY, new Recorder(RED));
    return flowTests(RED);
  }
  recorders.delete(ONLY);
  const made = await recorder?.stop();
  return { ...flowTests(RED), ...(made && { made }) };
}

/** The surroundings of the flows now: the variables that they name, and the schedules that were read. */
async function aroundOf(RED: NodeAPI, flows: unknown, inputs: string): Promise<World> {
  const text = JSON.stringify(flows) + inputs;
  const env = Object.fromEntries([...secretsOf(RED)].filter(([name]) => text.includes(name)));
  const tenants = (Array.isArray(flows) ? flows : []).filter(
    ({ type }: { type: unknown }) => type === "telephony-tenant",
  );
  const schedules = await Promise.all(
    tenants.map(async ({ id }: { id: string }) => {
      const sandbox = await sandboxOf(id);
      return [id, sandbox?.state.schedules.all() ?? copiesOf(id)] as const;
    }),
  );
  return { env, schedules: Object.fromEntries(schedules.filter(([, list]) => list.length > 0)) };
}
