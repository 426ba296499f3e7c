import { fitsPattern } from "../../sandbox/phone/behaviour";
import { line } from "../../texts/catalogue";
import type { ExpectedCall, ExpectedRequest, ExpectedResponse, FlowTest } from "./flow-test";
import type { NotPlaced, RehearsedCall, Report, ReportedInput, ReportedRequest } from "./make-report";
import type { RehearsalOptions } from "./options";
import { rehearse } from "./rehearse";
import { CannotRehearse } from "./world";

export type RunTest = Awaited<ReturnType<typeof runTest>>;

/**
 * Rehearses what a test describes, and checks it. A rehearsal that broke off is red whatever was found until then.
 * @throws CannotRehearse also where the test names a node that is not in the flow, or a node could not start
 */
export async function runTest(
  test: FlowTest,
  options: Pick<RehearsalOptions, "flows" | "userDir" | "limit" | "running" | "signal" | "pid">,
) {
  const { from, until, days, seed, flows: tabs, world, when = [] } = test;
  const rehearsal = await rehearse({
    ...options,
    from,
    until: until ?? days,
    seed,
    tabs,
    world: { ...world, inputs: [...when, ...(world?.inputs ?? [])] },
    watch: test.then.flatMap((entry) => ("reaches" in entry ? [entry.reaches] : [])),
  });
  const { report, notStarted, reached } = rehearsal;
  if (notStarted.length > 0) throw new CannotRehearse(notStarted.join(" "));
  const result = checkTest(test, report, reached);
  return { result: { ...result, isGreen: result.isGreen && report.brokenOff === null }, rehearsal };
}

/** One entry of `then`, beside what was found. */
interface Check {
  readonly isGreen: boolean;
  /** The entry in words: `a call to *02 saying "Your order" between 08:00 and 17:00`. */
  readonly expected: string;
  /** The calls that came instead, or those that fit; empty: none. */
  readonly found: readonly string[];
}

/** Most calls that a check shows. */
const MOST_SHOWN = 10;

/**
 * Compares what a rehearsal did with what its test expects. Calls are taken in order: each `call` takes the first that
 * fits behind those of the entries before it.
 * @param reached messages that reached the nodes that entries `reaches` name
 */
export function checkTest(test: FlowTest, report: Report, reached: Readonly<Record<string, number>>) {
  const taken = takeCalls(test, report.calls);
  const notPlaced = [...report.notPlaced];
  const checks = test.then.map((entry, index): Check => {
    if ("call" in entry) return callCheck(entry, taken.byEntry.get(index) ?? [], taken.left);
    if ("nobodyElse" in entry) {
      const others = taken.left.filter(mayHaveRung);
      return {
        isGreen: others.length === 0,
        expected: "nobody else is called",
        found: shown(others.map((each) => shownCall(each))),
      };
    }
    if ("response" in entry) return responseCheck(entry, report.inputs[entry.response - 1]);
    if ("request" in entry) return requestCheck(entry, report.requests);
    if ("reaches" in entry) {
      const { reaches, times = 1 } = entry;
      const found = reached[reaches] ?? 0;
      const expected = times === 1 ? `1 message reaches ${reaches}` : `${times} messages reach ${reaches}`;
      return { isGreen: found === times, expected, found: [`× ${found}`] };
    }
    const { notPlaced: number, code } = entry;
    const at = notPlaced.findIndex(
      (each) => isNumber(each.number, number) && (code === undefined || each.code === code),
    );
    const found = at < 0 ? notPlaced : notPlaced.splice(at, 1);
    const expected = line("no call to", number, code && `because of ${code}`);
    return { isGreen: at >= 0, expected, found: shown(found.map(shownNotPlaced)) };
  });
  return { name: test.name, isGreen: checks.every(({ isGreen }) => isGreen), checks };
}

/** The calls that each entry takes, by its index in `then`, and those that none took. */
function takeCalls(test: FlowTest, calls: readonly RehearsedCall[]) {
  const byEntry = new Map<number, readonly RehearsedCall[]>();
  const left = new Set(calls);
  let next = 0;
  for (const [index, entry] of test.then.entries()) {
    if (!("call" in entry)) continue;
    const fitting: RehearsedCall[] = [];
    for (let at = next; at < calls.length && fitting.length < (entry.times ?? 1); at += 1) {
      const call = calls[at];
      if (!call || !fits(call, entry)) continue;
      fitting.push(call);
      left.delete(call);
      next = at + 1;
    }
    byEntry.set(index, fitting);
  }
  return { byEntry, left: [...left] };
}

function callCheck(entry: ExpectedCall, taken: readonly RehearsedCall[], left: readonly RehearsedCall[]): Check {
  const { call, says, saysExactly, between, at, times } = entry;
  const extras = left.filter((each) => fits(each, entry));
  const isGreen = taken.length === (times ?? 1) && extras.length === 0;
  const expected = line(
    times === undefined ? "a call" : times === 1 ? "1 call" : `${times} calls`,
    `to ${call}`,
    says && `saying ${quoted(says)}`,
    saysExactly && `saying exactly ${saysExactly.map(quoted).join(" ")}`,
    ...SPOKEN.map((name) => entry[name] !== undefined && `with ${name} ${entry[name]}`),
    between && `between ${between.join(" and ")}`,
    at && `at ${at}`,
  );
  const others = left.filter((each) => isNumber(each.number, call));
  const near = [extras, others].find(({ length }) => length > 0) ?? left;
  const found = isGreen ? taken : [...taken, ...near];
  return { isGreen, expected, found: shown(found.map((each) => shownCall(each, entry))) };
}

/** The properties of how a text is spoken. */
const SPOKEN = ["voice", "loop", "speed"] as const;

/** A request that was refused calls nobody. */
function mayHaveRung({ outcome }: RehearsedCall): boolean {
  return outcome !== "rejected";
}

function fits(call: RehearsedCall, expected: ExpectedCall): boolean {
  const { number, says, actions, at } = call;
  return (
    mayHaveRung(call) &&
    isNumber(number, expected.call) &&
    (expected.says === undefined || contains(says, expected.says)) &&
    (expected.saysExactly === undefined || JSON.stringify(expected.saysExactly) === JSON.stringify(says)) &&
    SPOKEN.every((name) => expected[name] === undefined || isSpoken(actions, name, expected[name])) &&
    (expected.between === undefined || isBetween(at.slice(11, 16), expected.between)) &&
    (expected.at === undefined || isAt(at, expected.at))
  );
}

function isSpoken(actions: RehearsedCall["actions"], name: (typeof SPOKEN)[number], as: unknown): boolean {
  return actions.length > 0 && actions.every((action) => String(action[name]) === String(as));
}

/** The number of a user may be any text. */
function isNumber(number: string, pattern: string): boolean {
  if (pattern.startsWith("*")) return fitsPattern(number, pattern);
  const digits = pattern.replaceAll(/\D/g, "");
  return number === pattern || (digits !== "" && fitsPattern(number, digits));
}

function contains(says: readonly string[], part: string): boolean {
  return says.some((text) => text.includes(part)) || says.join(" ").includes(part);
}

function isBetween(time: string, [from, until]: readonly [string, string]): boolean {
  return from < until ? time >= from && time < until : time >= from || time < until;
}

/** Whether an instant is the expected day, minute or second. Without an offset that is a time of the tenant's zone, as `at` is. */
function isAt(at: string, expected: string): boolean {
  const [, wall = "?", offset = at.slice(19)] =
    /^(\S{10}(?:.\d\d:\d\d(?::\d\d)?)?)[.\d]*(Z|[+-][01]\d:?[0-5]\d)?$/i.exec(expected) ?? [];
  const there = new Date(Date.parse(at) - Date.parse(`1970-01-01T00:00:00${offset}`)).toISOString();
  return there.startsWith(wall.toUpperCase().replace(" ", "T"));
}

function responseCheck(entry: ExpectedResponse, input: ReportedInput | undefined): Check {
  const { response, status, body } = entry;
  const answered = input?.body ?? "";
  const text = typeof answered === "string" ? answered : JSON.stringify(answered);
  const isGreen =
    typeof input?.status === "number" &&
    (status === undefined || input.status === status) &&
    (body === undefined || text.includes(body));
  const expected = line(
    "response",
    response,
    status && `with status ${status}`,
    body && `that contains ${quoted(body)}`,
  );
  return { isGreen, expected, found: input ? [line(input.status, cut(text))] : [] };
}

function requestCheck({ request, target, times = 1 }: ExpectedRequest, requests: readonly ReportedRequest[]): Check {
  const ofAction = requests.filter(({ action, outcome }) => action === request && outcome !== "rejected");
  const fitting = ofAction.filter((each) => target === undefined || isTarget(each.target, target));
  const expected = line(times, request, target && `of ${target}`);
  const found = fitting.length === times && times > 0 ? fitting : ofAction;
  return {
    isGreen: fitting.length === times,
    expected,
    found: shown(found.map(({ at, action, target }) => line(at, action, target))),
  };
}

/** A number as in calls, or a name. */
function isTarget(found: string, expected: string): boolean {
  return (
    found === expected || ([found, expected].every((each) => /^[\d\s*+().-]+$/.test(each)) && isNumber(found, expected))
  );
}

/** @param expected names what is shown besides number and texts */
function shownCall(
  { at, number, says, actions, outcome }: RehearsedCall,
  expected: Partial<ExpectedCall> = {},
): string {
  const spoken = SPOKEN.flatMap((name) =>
    expected[name] === undefined ? [] : `${name} ${[...new Set(actions.map((each) => each[name] ?? "–"))].join(", ")}`,
  );
  const texts = says.map((text) => quoted(cut(text)));
  return [at, number, ...texts, ...spoken, ...(outcome === "applied" ? [] : [outcome])].join(" ");
}

function shownNotPlaced({ at, number, code, reason }: NotPlaced): string {
  return [at, number, code ?? reason].join(" ");
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

function shown(lines: readonly string[]): string[] {
  return lines.length > MOST_SHOWN ? [...lines.slice(0, MOST_SHOWN), `… (${lines.length - MOST_SHOWN})`] : [...lines];
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
