import { digitsIn, plainText } from "../../../fields/kinds/phone-number";
import { mapTexts } from "../../../json/walk";
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

/** The signs that may stand between the digits of a number. */
const BETWEEN = "[\\s()./\\p{Zs}\\p{Pd}\\u2212\\p{Default_Ignorable_Code_Point}]*";

/** Puts made-up numbers in place of those that came in and were called, however they are written, wherever they stand in a test. */
export function withoutNumbers(test: FlowTest): FlowTest {
  const { when = [], then } = test;
  const called = then.map((each) => ("call" in each ? each.call : "notPlaced" in each ? each.notPlaced : ""));
  // Without an extension.
  const long = called.flatMap((number) => plainText(number).match(RUNS) ?? []).map(digitsIn);
  const ends = new Set(long.filter(({ length }) => length >= LEAST_DIGITS).map((digits) => digits.slice(-OWN_DIGITS)));
  const given = asciiOf(JSON.stringify(when)).join("");
  const found = [...ends].filter((digits) => !MADE_UP.test(digits) && written([digits]).test(given));
  if (found.length === 0) return test;
  const inText = (text: string) => replaced(text, found);
  return { ...test, when: mapTexts(when, inText), then: mapTexts(then, inText) };
}

const RUNS = new RegExp(`[0-9](?:${BETWEEN}[0-9])*`, "gu");

/** The last digits of numbers, with what may stand between them. */
function written(ends: readonly string[]): RegExp {
  return new RegExp(`(?:${ends.map((digits) => digits.split("").join(BETWEEN)).join("|")})(?![0-9])`, "gu");
}

/** The characters of a text, in which the digits of all scripts are ASCII. Each is one UTF-16 unit. */
function asciiOf(text: string): readonly string[] {
  return Array.from(text, (char) => {
    const plain = plainText(char);
    return /^[0-9]$/.test(plain) ? plain : char.length === 1 ? char : "\ufffd";
  });
}

function replaced(text: string, found: readonly string[]): string {
  const [chars, plain] = [Array.from(text), asciiOf(text)];
  for (const { 0: number, index } of plain.join("").matchAll(written(found))) {
    const made = String(found.indexOf(digitsIn(number)) + 1).padStart(OWN_DIGITS, "0");
    let next = 0;
    for (let at = index; at < index + number.length; at += 1)
      if (/[0-9]/.test(plain[at] ?? "")) chars[at] = made.charAt(next++);
  }
  return chars.join("");
}
