import { type PhonesByNumber, phoneOf, statusWithBody } from "../phone/behaviour";
import { type Answer, refused } from "../service/envelope";
import {
  isObject,
  matching,
  type Rule,
  readOnlyFields,
  required,
  textUpTo,
  type Values,
  wholeNumber,
} from "../service/fields";
import type { RequestInfo } from "../service/request";

/** Which of the next requests fail, and how. A request that fails is answered but not carried out. */
export interface FaultPlan {
  /** How many requests fail; 0 ends fault injection. */
  readonly times: number;
  /** HTTP status of the answers, 503 when not given. With a 2xx, only `success: false` shows the failure. */
  readonly status?: number;
  /** Limits the faults to this exact path, such as `/api/v1/call/call-out`. */
  readonly path?: string;
  /** The Retry-After header: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** Milliseconds before the answer. */
  readonly delayMs?: number;
}

/** Answered instead of carrying a request out. */
export interface Failure {
  readonly answer: Answer;
  readonly delayMs: number;
}

/** How one request fails: it is refused, or carried out while its answer is lost. */
export type Fault = Pick<FaultPlan, "status"> & { readonly retryAfter?: number; readonly lost?: boolean };

export function faultOf({ status = 503, retryAfter, lost }: Fault): Partial<Failure> & { readonly isLost?: true } {
  return lost ? { isLost: true } : { answer: refusedAsAsked(status, retryAfter) };
}

const httpDateOrSeconds = matching(/^[\x20-\x7E]{1,64}$/, "seconds or an HTTP date");
const seconds = wholeNumber(0, 86_400);
const retryAfter: Rule<number | string | undefined> = {
  problems: (value, field, styles) =>
    (typeof value === "number" ? seconds : httpDateOrSeconds).problems(value, field, styles),
};

export const faultFields = {
  times: required(wholeNumber(0, 1_000_000)),
  status: statusWithBody,
  path: textUpTo(2000),
  retryAfter,
  delayMs: wholeNumber(0, 600_000),
};

/** Holds at most one fault plan. */
export class FaultInjector {
  #plan: Partial<Values<typeof faultFields>> = {};
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

  /** The failure of the next request to this path and its delay in milliseconds; undefined when it does not fail. */
  next(path: string): Failure | undefined {
    if (this.#left === 0 || (this.#plan.path ?? path) !== path) return undefined;
    this.#left -= 1;
    const { status = 503, retryAfter, delayMs = 0 } = this.#plan;
    return { answer: refusedAsAsked(status, retryAfter), delayMs };
  }
}

/** The refusal of a call-out whose number the settings refuse to call. */
export function refusedNumber({ path, body }: RequestInfo, phones: PhonesByNumber): Failure | undefined {
  if (path !== "/api/v1/call/call-out" || !isObject(body.value)) return undefined;
  const { to } = body.value;
  const number = body.value["to.number"] ?? (isObject(to) ? to["number"] : undefined);
  const phone = typeof number === "string" ? phoneOf(number, phones) : undefined;
  if (typeof phone !== "object") return undefined;
  return { answer: refusedAsAsked(phone.status, phone.retryAfter), delayMs: 0 };
}

function refusedAsAsked(status: number, retryAfter: number | string | undefined): Answer {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return refused(status, `The sandbox was asked to answer ${status}.`, headers);
}
