import {
  isObject,
  matching,
  type Rule,
  readOnlyFields,
  required,
  textUpTo,
  type Values,
  wholeNumber,
} from "../../json/rules";
import { type PhonesByNumber, phoneOf, statusWithBody } from "../phone/behaviour";
import { CALL_OUT_PATH } from "../service/call-actions";
import { type Answer, refused } from "../service/envelope";
import type { RequestInfo } from "../service/request";

const httpDateOrSeconds = matching(/^[\x20-\x7E]{1,64}$/, "seconds or an HTTP date");
const seconds = wholeNumber(0, 86_400);
const retryAfter: Rule<number | string | undefined> = (value, field) =>
  (typeof value === "number" ? seconds : httpDateOrSeconds)(value, field);

export const faultFields = {
  /** The number of requests that fail; 0 ends fault injection. */
  times: required(wholeNumber(0, 1_000_000)),
  /** HTTP status of the answers, 503 when not given. With a 2xx, only `success: false` shows the failure. */
  status: statusWithBody,
  /** Limits the faults to this exact path, such as `/api/v1/call/call-out`. */
  path: textUpTo(2000),
  /** The Retry-After header: seconds, or an HTTP date. */
  retryAfter,
  /** Milliseconds before the answer. */
  delayMs: wholeNumber(0, 600_000),
};

/** The next requests that fail, and the way in which they do. A request that fails is answered but not carried out. */
type FaultPlan = Partial<Values<typeof faultFields>>;
/** The way in which one request fails: it is refused, or carried out while its answer is lost. */
export type Fault = Pick<FaultPlan, "status" | "retryAfter" | "delayMs"> & { readonly lost?: boolean };

/** The answer instead of carrying the request out. */
export function answerOf({ status = 503, retryAfter }: Fault): Answer {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return refused(status, `The sandbox was asked to answer ${status}.`, headers);
}

/** Holds at most one fault plan. */
export class FaultInjector {
  #plan: FaultPlan = {};
  #left = 0;

  /**
   * Replaces the current plan, unless the new one is invalid.
   * @returns one sentence for each problem with the plan
   */
  set(plan: unknown): readonly string[] {
    const { values, problems } = readOnlyFields(plan, faultFields);
    if (problems.length > 0) return problems;
    this.#plan = values;
    this.#left = values.times;
    return [];
  }

  /** The fault of the next request to this path; undefined when it does not fail. */
  next(path: string): Fault | undefined {
    if (this.#left === 0 || (this.#plan.path ?? path) !== path) return undefined;
    this.#left -= 1;
    return this.#plan;
  }
}

/** The refusal of a call-out whose number the settings refuse to call. */
export function refusedNumber({ path, body }: RequestInfo, phones: PhonesByNumber): Fault | undefined {
  if (path !== CALL_OUT_PATH || !isObject(body.value)) return undefined;
  const { to } = body.value;
  const number = body.value["to.number"] ?? (isObject(to) ? to["number"] : undefined);
  const phone = typeof number === "string" ? phoneOf(number, phones) : undefined;
  return typeof phone === "object" ? phone : undefined;
}
