import type { Expectation, FlowTest } from "../../rehearsal/flow-test";
import type { RehearsedCall, Report } from "../../rehearsal/make-report";

/** A list of more expectations is read by nobody. */
const MOST_EXPECTED = 200;
/** The digits at the end that tell numbers apart, however one is written. */
const OWN_DIGITS = 7;
const LEAST_DIGITS = 9;

/** Makes a test of a rehearsal: the same inputs, and what came of them expected. */
export function draftTest(report: Report, given: Omit<FlowTest, "name" | "then">): FlowTest {
  const { calls, notPlaced, requests, inputs } = report;
  const expected: Expectation[] = [
    ...calls.reduce<Expectation[]>(withCall, []),
    ...notPlaced.flatMap(({ number, code }): Expectation[] => (number ? [{ notPlaced: number, code }] : [])),
    ...requests.map(({ action, target }): Expectation => ({ request: action, target })),
    { nobodyElse: true },
    ...inputs.flatMap(({ status }, index): Expectation[] => (status === null ? [] : [{ response: index + 1, status }])),
  ];
  return { name: "", ...given, then: expected.slice(0, MOST_EXPECTED) };
}

/** Counts calls one after the other that say the same to the same number as one entry. */
function withCall(list: readonly Expectation[], { number, says, outcome }: RehearsedCall): Expectation[] {
  if (outcome === "rejected") return [...list];
  const last = list.at(-1);
  const call = { call: number, ...(says.length > 0 && { saysExactly: says }) };
  if (!last || !("call" in last)) return [...list, call];
  const { times = 1, ...before } = last;
  return JSON.stringify(before) === JSON.stringify(call)
    ? [...list.slice(0, -1), { ...call, times: times + 1 }]
    : [...list, call];
}

/** Digits that nobody has as a number. */
const MADE_UP = /^0+\d?$/;

/** Puts made-up numbers in place of those that came in and were called, however they are written, wherever they stand in a test. */
export function withoutNumbers(test: FlowTest): FlowTest {
  const { when = [], then } = test;
  const called = then.map((each) => ("call" in each ? each.call : "notPlaced" in each ? each.notPlaced : ""));
  const long = called.map((number) => number.replaceAll(/\D/g, "")).filter(({ length }) => length >= LEAST_DIGITS);
  const given = JSON.stringify(when);
  const ends = new Set(long.map((digits) => digits.slice(-OWN_DIGITS)));
  const found = [...ends].filter((digits) => !MADE_UP.test(digits) && written([digits]).test(given));
  if (found.length === 0) return test;
  const replaced = JSON.stringify({ when, then }).replaceAll(written(found), (text) => {
    const made = String(found.indexOf(text.replaceAll(/\D/g, "")) + 1).padStart(OWN_DIGITS, "0");
    let at = 0;
    return text.replaceAll(/\d/g, () => made.charAt(at++));
  });
  return { ...test, ...(JSON.parse(replaced) as Pick<FlowTest, "when" | "then">) };
}

/** The last digits of numbers, with what may stand between them. */
function written(ends: readonly string[]): RegExp {
  return new RegExp(`(?:${ends.map((digits) => digits.split("").join("[ ().\\/-]*")).join("|")})(?!\\d)`, "g");
}
