import { parentPort, workerData } from "node:worker_threads";
import { DAY_MS } from "../../../hours/dates";
import { listOf, required, text } from "../../../json/rules";
import type { FlowNode } from "../../lint/flow-node";
import { days, type FlowTest, seed, tabs as tabsRule, tests as testsRule } from "../../rehearsal/flow-test";
import type { RehearsalOptions } from "../../rehearsal/options";
import { type Rehearsal, rehearse } from "../../rehearsal/rehearse";
import { runTest } from "../../rehearsal/run-test";
import { CannotRehearse, inputs as inputsRule, instant, readAs } from "../../rehearsal/world";
import { htmlOf } from "../../report/html";
import { ReportTexts } from "../../report/texts";
import { whyNothing } from "../../report/why";
import { draftTest, withoutNumbers } from "./draft-test";
import type { RehearsalState, Said, Work } from "./rehearsals";

const DEFAULT_DAYS = 7;

// A report can be long: it is made in a thread of its own, so that Node-RED goes on meanwhile.
const { body, running, schedules, userDir, pid } = workerData as Work & Pick<RehearsalOptions, "pid">;
const texts = new ReportTexts(String(body["language"]));
const controller = new AbortController();
const { signal } = controller;
parentPort?.once("message", () => controller.abort());
parentPort?.unref();

void work().then(say, (error: unknown) => say({ state: { isRunning: false, calls: 0, problem: sentence(error) } }));

/** Runs tests of the flows of an editor, deployed or not, and rehearses them with inputs. */
async function work(): Promise<Said> {
  const node = { id: required(text), type: required(text) };
  const about = { from: instant, days, seed, tabs: tabsRule, inputs: inputsRule, tests: testsRule, language: text };
  const rules = { flows: required(listOf(node)), ...about };
  const { flows, from, tests, tabs, inputs = [], ...given } = readAs(body, rules);
  if (flows.length === 0)
    throw new CannotRehearse("This is no flow file: export the flow in Node-RED's editor, as JSON.");
  const options = { flows, userDir, running, signal, pid };
  const tested = tests && (await runTests(tests, options));
  if (tested && (body["inputs"] === undefined || signal.aborted)) return tested;
  const results = tested && { tests: tested.state.tests ?? [] };
  let began: number | undefined;
  const rehearsal = await rehearse({
    ...{ ...options, from, tabs, until: given.days, seed: given.seed, world: { schedules, inputs } },
    onProgress(at, calls) {
      began ??= Date.parse(at);
      const share = (Date.parse(at) - began) / ((given.days ?? DEFAULT_DAYS) * DAY_MS);
      say({ state: { isRunning: true, at, share, calls, ...results } });
    },
  });
  const { until, figures, ...report } = rehearsal.report;
  const why = whyNothing(texts, rehearsal);
  const [cause] = [...report.notPlaced, ...report.errors, ...(rehearsal.closed ? [rehearsal.closed] : [])];
  const nothing =
    why === undefined ? {} : { nothing: { why, nodeId: cause?.nodeId, opensAt: rehearsal.closed?.opensAt } };
  const test = draftTest(rehearsal.report, {
    ...{ from: report.from, until, world: { schedules }, when: inputs },
    ...(tabs && { flows: tabs.map((id) => namedTab(id, flows)) }),
  });
  const made = { test, masked: withoutNumbers(test) };
  const ended = { figures, brokenOff: rehearsal.brokenOff?.(texts.text) ?? null };
  const state = { isRunning: false, calls: figures.calls, notes: rehearsal.notes, report: ended, made };
  return said({ ...state, ...nothing, ...results }, rehearsal);
}

/** The name of a tab, if no other has it; else its id. */
function namedTab(id: string, flows: readonly FlowNode[]): string {
  const name = String(flows.find((node) => node.id === id)?.["label"] ?? "");
  return name && flows.filter(({ type, label }) => type === "tab" && label === name).length === 1 ? name : id;
}

/** Runs tests, one after the other. Surroundings that a test does not set are those of the flow now. */
async function runTests(tests: readonly FlowTest[], options: Parameters<typeof runTest>[1]): Promise<Said> {
  const results: NonNullable<RehearsalState["tests"]>[number][] = [];
  let shown: { readonly rehearsal: Rehearsal; readonly name: string; readonly isGreen: boolean } | undefined;
  for (const test of tests) {
    try {
      const { result, rehearsal } = await runTest({ ...test, world: { schedules, ...test.world } }, options);
      if (shown?.isGreen !== false) shown = { rehearsal, name: test.name, isGreen: result.isGreen };
      const { brokenOff } = rehearsal;
      results.push({ ...result, then: test.then, ...(brokenOff && { problem: brokenOff(texts.text) }) });
    } catch (error) {
      results.push({ name: test.name, isGreen: false, checks: [], then: test.then, problem: sentence(error) });
    }
    say({ state: { isRunning: true, calls: 0, tests: results } });
    if (signal.aborted) break;
  }
  const { name, rehearsal } = shown ?? {};
  return said({ isRunning: false, calls: 0, tests: results, shown: name, notes: rehearsal?.notes ?? [] }, rehearsal);
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
