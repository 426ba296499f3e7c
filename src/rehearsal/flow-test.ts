import {
  isObject,
  listUpTo,
  matching,
  objectOf,
  type Rule,
  readOnlyFields,
  required,
  text,
  wholeNumber,
} from "../sandbox/service/fields";
import { CannotRehearse } from "./rehearsal";
import type { World, WorldInput } from "./world";
import { inputs, instant, oneKindOf, world } from "./world-rules";

/** A test of a flow, as `docs/contract.md` shows it: what happens, and what is to come of it. */
export interface FlowTest {
  readonly name: string;
  /** ISO 8601; without offset in the zone of the first tenant. */
  readonly from: string;
  readonly until?: string;
  readonly days?: number;
  readonly seed?: number;
  readonly world?: World;
  readonly when?: readonly WorldInput[];
  readonly then: readonly Expectation[];
}

export interface ExpectedCall {
  /** A number, or `*` and its last digits. */
  readonly call: string;
  readonly says?: string;
  /** Times of day in the tenant's zone; the end is exclusive. */
  readonly between?: readonly [string, string];
  /** ISO 8601; without offset in the tenant's zone. */
  readonly at?: string;
  /** Default: 1. One more call that fits, and that no other entry takes, is one too many. */
  readonly times?: number;
}

export interface ExpectedResponse {
  /** The n-th input, from 1. */
  readonly response: number;
  readonly status?: number;
  /** A part of the body. */
  readonly body?: string;
}

export type Expectation =
  | ExpectedCall
  | { readonly notPlaced: string; readonly code?: string | null }
  | { readonly nobodyElse: true }
  | ExpectedResponse
  | { readonly reaches: string; readonly times?: number };

const MOST_TESTS = 1000;
const MOST_EXPECTATIONS = 1000;
const MOST_TIMES = 1_000_000;

const name = matching(/\S/, "a name");
const number = matching(/\S/, "a number, or * and its last digits");
const times = wholeNumber(0, MOST_TIMES);

const timeOfDay = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;
const between: Rule<unknown> = {
  problems: (value, field) =>
    value === undefined ||
    (Array.isArray(value) && value.length === 2 && value.every((each) => timeOfDay.test(String(each))))
      ? []
      : [`The ${field} field must be two times, such as ["08:00", "17:00"].`],
};
const code: Rule<unknown> = {
  problems: (value, field, styles) => (value === null ? [] : text.problems(value, field, styles)),
};
const isTrue: Rule<unknown> = {
  problems: (value, field) => (value === true ? [] : [`The ${field} field must be true.`]),
};

const kinds = {
  call: objectOf({ call: required(number), says: text, between, at: instant, times }),
  notPlaced: objectOf({ notPlaced: required(number), code }),
  nobodyElse: objectOf({ nobodyElse: isTrue }),
  response: objectOf({
    response: required(wholeNumber(1, MOST_TIMES)),
    status: wholeNumber(100, 599),
    body: text,
  }),
  reaches: objectOf({ reaches: required(name), times }),
};

const fields = objectOf({
  name: required(name),
  from: required(instant),
  until: instant,
  days: wholeNumber(1, 3660),
  seed: wholeNumber(0, 2 ** 32 - 1),
  world,
  when: inputs,
  then: required(listUpTo(MOST_EXPECTATIONS, oneKindOf<Expectation>(kinds))),
});

const test: Rule<FlowTest> = {
  problems(value, field, styles) {
    const problems = fields.problems(value, field, styles);
    if (problems.length > 0 || !isObject(value)) return problems;
    if ((value["until"] === undefined) === (value["days"] === undefined))
      return [`The ${field} field must have either until or days.`];
    // A test that expects nothing could not fail.
    return (value["then"] as unknown[]).length === 0 ? [`The ${field}.then field must have an entry.`] : [];
  },
};

/**
 * The tests of a tests file, from its parsed JSON.
 * @throws CannotRehearse with a sentence for each property that is unknown or wrong
 */
export function readTests(value: unknown): readonly FlowTest[] {
  if (!isObject(value)) throw new CannotRehearse('The tests must be a JSON object with a list "tests".');
  const { values, problems } = readOnlyFields(value, { tests: required(listUpTo(MOST_TESTS, test)) });
  if (problems.length > 0) throw new CannotRehearse(problems.join("\n"));
  return values.tests;
}
