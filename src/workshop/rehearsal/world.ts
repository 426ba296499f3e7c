import { METHODS, validateHeaderName, validateHeaderValue } from "node:http";
import {
  boolean,
  isObject,
  listOf,
  listUpTo,
  matching,
  objectOf,
  oneOf,
  type Rule,
  type Rules,
  readOnlyFields,
  required,
  text,
  type Values,
  wholeNumber,
} from "../../json/rules";
import { mix, phonesByNumber, share, statusWithBody } from "../../sandbox/phone/behaviour";
import { READ_BY_NODE } from "./variables";

/** It could not be rehearsed: the message is a sentence with the remedy. */
export class CannotRehearse extends Error {}

const MOST_INPUTS = 100_000;
const MOST_FAULTS = 10_000;

/** ISO 8601; without offset in the zone of the first tenant. Whether such a time exists is found out with that zone. */
const INSTANT = String.raw`\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d.*)?`;
export const instant = matching(new RegExp(`^${INSTANT}$`), "an instant, such as 2026-12-01T09:00");
/** The same, or `+90s` after the start, or `09:00`: the first such time at or after the start. */
const moment = matching(
  new RegExp(String.raw`^(?:${INSTANT}|\+\d+(?:\.\d+)?[smhd]|(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$`),
  "an instant, such as 2026-12-01T09:00, +90s after the start, or 09:00",
);
export const anything: Rule<unknown> = () => [];
const repeated = matching(/^[1-9]\d*[mhd]$/, "a whole number and m, h or d, such as 30m");
const path = matching(/^\//, "a path that begins with /");
const name = matching(/\S/, "the id or the name of a node");

export const textOrNull: Rule<string | null | undefined> = (value, field) => (value === null ? [] : text(value, field));

/** An object with any keys, whose values follow the rule. */
export function recordOf<T>(rule: Rule<T>): Rule<Readonly<Record<string, Exclude<T, undefined>>> | undefined> {
  return (value, field) => {
    if (value === undefined) return [];
    if (!isObject(value)) return [`The ${field} field must be a JSON object.`];
    return Object.entries(value).flatMap(([key, each]) => rule(each, `${field}.${key}`));
  };
}

/** An object of the kind whose name is one of its keys. */
export function oneKindOf<Kinds extends Rules>(kinds: Kinds): Rule<Values<Kinds>[keyof Kinds]> {
  return (value, field) => {
    const [rule, ...others] = Object.entries(kinds).flatMap(([kind, each]) =>
      isObject(value) && Object.hasOwn(value, kind) ? [each] : [],
    );
    if (rule && others.length === 0) return rule(value, field);
    return [`The ${field} field must have exactly one of ${Object.keys(kinds).join(", ")}.`];
  };
}

const object = recordOf(anything);
const method = matching(new RegExp(`^(?:${METHODS.join("|")})$`, "i"), "an HTTP method, such as POST");
const headers: Rule<Readonly<Record<string, string>> | undefined> = (value, field) => {
  const problems = recordOf(text)(value, field);
  return problems.length > 0
    ? problems
    : Object.entries(value ?? {}).flatMap(([name, each]) => unsendable(name, each, field));
};

/** Applies Node's own checks, which it makes again when it sends. */
function unsendable(name: string, value: string, field: string): string[] {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return [];
  } catch {
    return [`The ${field}.${name} field must be a header that HTTP can send.`];
  }
}
const timeOfDay = matching(/^(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d)?$/, "a time, such as 08:30");
/** The service answers a read with 0 or 1, and a create with a boolean. */
const flag: Rule<unknown> = (value, field) => (typeof value === "boolean" ? [] : wholeNumber(0, 1)(value, field));
/** As the service gives it. */
const schedule = objectOf({
  id: required(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  name: required(text),
  enable: flag,
  provider_business_hour_id: anything,
  created_at: anything,
  updated_at: anything,
  days: required(
    listOf({
      day: required(oneOf("mon", "tue", "wed", "thu", "fri", "sat", "sun")),
      open: required(timeOfDay),
      close: required(timeOfDay),
    }),
  ),
});
const schedules = listUpTo(1000, schedule);

/** `until` is exclusive. */
const times = { at: required(moment), every: repeated, until: moment };
const input = oneKindOf({
  post: objectOf({ ...times, post: required(path), method, headers, body: anything }),
  get: objectOf({ ...times, get: required(path), headers }),
  inject: objectOf({ ...times, inject: required(name) }),
  node: objectOf({ ...times, node: required(name), msg: required(object) }),
});
export type WorldInput = NonNullable<typeof input.value>;
export const inputs = listUpTo(MOST_INPUTS, input);

const fault = objectOf({
  at: required(moment),
  until: moment,
  path,
  status: statusWithBody,
  retryAfter: wholeNumber(0, 86_400),
  lost: boolean,
  share,
});
export type WorldFault = NonNullable<typeof fault.value>;

/** Checks schedules for all tenants, or by a tenant's id or name. */
const schedulesOfTenants: Rule<readonly unknown[] | Readonly<Record<string, readonly unknown[]>> | undefined> = (
  value,
  field,
) => (Array.isArray(value) ? schedules : recordOf(schedules))(value, field);

const environment: Rule<Readonly<Record<string, string>> | undefined> = (value, field) => [
  ...recordOf(required(text))(value, field),
  ...Object.keys(Object(value))
    .filter((name) => READ_BY_NODE.test(name))
    .map((name) => `The ${field}.${name} field is not allowed: Node.js itself reads variables with such names.`),
];

const WORLD = {
  env: environment,
  global: object,
  /** By the id of the tab. */
  flow: recordOf(object),
  schedules: schedulesOfTenants,
  /** iCalendar texts by address. */
  calendars: recordOf(text),
  phones: phonesByNumber,
  mix,
  faults: listUpTo(MOST_FAULTS, fault),
  /** Of nodes with effects outside, by node id or name. */
  answers: object,
  inputs,
};

export const world = objectOf(WORLD);
/** The surroundings of the flow in a rehearsal: a WORLD file, as `docs/contract/command.md` shows it. */
export type World = NonNullable<typeof world.value>;

/** @throws CannotRehearse with a sentence for each property that is unknown or wrong */
export function readWorld(value: unknown): World {
  if (!isObject(value)) throw new CannotRehearse("The world must be a JSON object.");
  return readAs(value, WORLD);
}

/** @throws CannotRehearse with a sentence for each property that is unknown or wrong */
export function readAs<R extends Rules>(
  value: unknown,
  rules: R,
): NonNullable<ReturnType<typeof objectOf<R>>["value"]> {
  const { problems } = readOnlyFields(value, rules);
  if (problems.length > 0) throw new CannotRehearse(problems.join("\n"));
  return value as never;
}
