import { parentPort, workerData } from "node:worker_threads";
import { listOf, required, text } from "../../json/rules";
import { days, type FlowTest, seed, tests as testsRule } from "../rehearsal/flow-test";
import type { RehearsalOptions } from "../rehearsal/options";
import { type Rehearsal, rehearse } from "../rehearsal/rehearse";
import { runTest } from "../rehearsal/run-test";
import { CannotRehearse, inputs, instant, readAs } from "../rehearsal/world";
import { htmlOf } from "../report/html";
import type { RehearsalState, Said, Work } from "./rehearsals";

/** Calls that the tab lists; the page of the report has all. */
const MOST_LISTED = 200;

// A report can be long: it is made in a thread of its own, so that Node-RED goes on meanwhile.
const { body, running, schedules, userDir, pid } = workerData as Work & Pick<RehearsalOptions, "pid">;
const controller = new AbortController();
const { signal } = controller;
parentPort?.once("message", () => controller.abort());
parentPort?.unref();

void work().then(say, (error: unknown) => say({ state: { isRunning: false, calls: 0, problem: sentence(error) } }));

/** Rehearses the flows of an editor, deployed or not, or runs tests of them. */
async function work(): Promise<Said> {
  const node = { id: required(text), type: required(text) };
  const about = { from: instant, days, seed, inputs, tests: testsRule, language: text };
  const rules = { flows: required(listOf(node)), ...about };
  const { flows, from, tests, ...given } = readAs(body["from"] === "" ? { ...body, from: undefined } : body, rules);
  if (flows.length === 0)
    throw new CannotRehearse("This is no flow file: export the flow in Node-RED's editor, as JSON.");
  const options = { flows, userDir, running, signal, pid };
  if (tests) return runTests(tests, options);
  const rehearsal = await rehearse({
    ...{ ...options, from, until: given.days, seed: given.seed, world: { schedules, inputs: given.inputs ?? [] } },
    onProgress: (at, calls) => say({ state: { isRunning: true, at, calls } }),
  });
  const { calls, until, figures, brokenOff, ...report } = rehearsal.report;
  const shown = { from: report.from, until, figures, brokenOff, calls: calls.slice(0, MOST_LISTED) };
  return said({ isRunning: false, calls: calls.length, notes: rehearsal.notes, report: shown }, rehearsal);
}

/** Runs tests, one after the other. Surroundings that a test does not set are those of the flow now. */
async function runTests(tests: readonly FlowTest[], options: Parameters<typeof runTest>[1]): Promise<Said> {
  const results: NonNullable<RehearsalState["tests"]>[number][] = [];
  let last: Rehearsal | undefined;
  for (const test of tests) {
    try {
      const { result, rehearsal } = await runTest({ ...test, world: { schedules, ...test.world } }, options);
      last = rehearsal;
      const { brokenOff } = rehearsal.report;
      results.push({ ...result, ...(brokenOff !== null && { problem: brokenOff }) });
    } catch (error) {
      results.push({ name: test.name, isGreen: false, checks: [], problem: sentence(error) });
    }
    say({ state: { isRunning: true, calls: 0, tests: results } });
    if (signal.aborted) break;
  }
  return said({ isRunning: false, calls: 0, tests: results, notes: last?.notes ?? [] }, last);
}

function said(state: Said["state"], rehearsal: Rehearsal | undefined): Said {
  const options = { language: String(body["language"]), isInEditor: true };
  return { state, ...(rehearsal && { page: new TextEncoder().encode(htmlOf(rehearsal, options)) }) };
}

function say(said: Said): void {
  parentPort?.postMessage(said, said.page ? [said.page.buffer as ArrayBuffer] : []);
}

function sentence(error: unknown): string {
  if (error instanceof CannotRehearse) return error.message;
  const { code = "its flows cannot be read" } = error as NodeJS.ErrnoException;
  return `It could not be rehearsed: ${code}.`;
}
