import {
  isObject,
  listUpTo,
  matching,
  number,
  objectOf,
  type Rule,
  required,
  rule,
  text,
  wholeNumber,
} from "../../json/rules";
import { CannotRehearse, inputs, instant, oneKindOf, readAs, textOrNull, world } from "./world";

const MOST_TESTS = 1000;
const MOST_EXPECTATIONS = 1000;
const MOST_FLOWS = 1000;
const MOST_TIMES = 1_000_000;

const name = matching(/\S/, "a name");
const calledNumber = matching(/\S/, "a number, or * and its last digits");
const times = wholeNumber(0, MOST_TIMES);

const timeOfDay = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;
/** Times of day in the tenant's zone; the end is exclusive. */
const between = rule<readonly [string, string]>(
  (value) => Array.isArray(value) && value.length === 2 && value.every((each) => timeOfDay.test(String(each))),
  'two times, such as ["08:00", "17:00"]',
);
const isTrue: Rule<true> = (value, field) => (value === true ? [] : [`The ${field} field must be true.`]);

const kinds = {
  call: objectOf({
    call: required(calledNumber),
    says: text,
    saysExactly: listUpTo(1000, text),
    /** Of each text. */
    voice: text,
    loop: rule<number | string>((value) => /^\d+$/.test(String(value)), "a whole number"),
    speed: number,
    between,
    /** Without offset in the tenant's zone. */
    at: instant,
    /** Default: 1. One more call that fits, and that no other entry takes, is one too many. */
    times,
  }),
  notPlaced: objectOf({ notPlaced: required(calledNumber), code: textOrNull }),
  nobodyElse: objectOf({ nobodyElse: isTrue }),
  response: objectOf({
    /** The n-th input, from 1. */
    response: required(wholeNumber(1, MOST_TIMES)),
    status: wholeNumber(100, 599),
    /** A part of the body. */
    body: text,
  }),
  reaches: objectOf({ reaches: required(name), times }),
  request: objectOf({ request: required(name), target: text, times }),
};
const expectation = oneKindOf(kinds);

export type Expectation = NonNullable<typeof expectation.value>;
export type ExpectedCall = NonNullable<typeof kinds.call.value>;
export type ExpectedRequest = NonNullable<typeof kinds.request.value>;
export type ExpectedResponse = NonNullable<typeof kinds.response.value>;

export const days = wholeNumber(1, 3660);
export const seed = wholeNumber(0, 2 ** 32 - 1);
/** Tabs, by id or name. Default: all. */
export const tabs = listUpTo(MOST_FLOWS, name);

const fields = objectOf({
  name: required(name),
  from: required(instant),
  until: instant,
  days,
  seed,
  flows: tabs,
  world,
  when: inputs,
  then: required(listUpTo(MOST_EXPECTATIONS, expectation)),
});
/** A test of a flow, as `docs/contract/command.md` shows it: what happens, and what is to come of it. */
export type FlowTest = NonNullable<typeof fields.value>;

const test: Rule<FlowTest> = (value, field) => {
  const problems = fields(value, field);
  if (problems.length > 0 || !isObject(value)) return problems;
  if ((value["until"] === undefined) === (value["days"] === undefined))
    return [`The ${field} field must have either until or days.`];
  // A test that expects nothing could not fail.
  return (value["then"] as unknown[]).length === 0 ? [`The ${field}.then field must have an entry.`] : [];
};

export const tests = listUpTo(MOST_TESTS, test);

/** @throws CannotRehearse with a sentence for each property that is unknown or wrong */
export function readTests(value: unknown): readonly FlowTest[] {
  if (!isObject(value)) throw new CannotRehearse('The tests must be a JSON object with a list "tests".');
  return readAs(value, { tests: required(tests) }).tests;
}
