import { defaults } from "../service/choices";
import { type Answer, refused } from "../service/envelope";
import { readFields } from "../service/fields";
import { matching, type Rule, required, text, wholeNumber } from "../service/rules";

/** Failures to come, so that a flow can be tried against them. The requests they strike are answered, not carried out. */
export interface Trouble {
  /** How many requests fail; 0 ends the trouble. */
  readonly times: number;
  /** HTTP status of the answers, 503 when not given. A 2xx makes an answer that only its `success: false` gives away. */
  readonly status?: number;
  /** Only requests to exactly this path, such as `/api/v1/call/call-out`. */
  readonly path?: string;
  /** The Retry-After header: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** Milliseconds before the answer. */
  readonly delayMs?: number;
}

/** A 204 or 304 could not carry the envelope. */
const status: Rule<number | undefined> = {
  problems: (value, field) =>
    value === 204 || value === 304
      ? [`The ${field} field must be a status that has a body.`]
      : wholeNumber(200, 599).problems(value, field),
};

const httpDateOrSeconds = matching(/^[\x20-\x7E]{1,64}$/, "seconds or an HTTP date");
const seconds = wholeNumber(0, 86_400);
const retryAfter: Rule<number | string | undefined> = {
  problems: (value, field) => (typeof value === "number" ? seconds : httpDateOrSeconds).problems(value, field),
};

/** What a trouble may say. */
export const troubleFields = {
  times: required(wholeNumber(0, 1_000_000)),
  status,
  path: text,
  retryAfter,
  delayMs: wholeNumber(0, 600_000),
};

/** Sentences that say what is wrong with a trouble; none when it is fine. */
export function troubleProblems(trouble: unknown): readonly string[] {
  return readFields(trouble, troubleFields).problems;
}

/** The one trouble in force, if any. */
export class Troublemaker {
  #trouble: Trouble = { times: 0 };
  #left = 0;

  /** Replaces the trouble before it. Throws a `TypeError` for one that makes no sense. */
  set(trouble: Trouble): void {
    const problems = troubleProblems(trouble);
    if (problems.length > 0) throw new TypeError(problems.join(" "));
    this.#trouble = { ...trouble };
    this.#left = trouble.times;
  }

  /** The failure of this request, and the milliseconds it takes; undefined when nothing is wrong with it. */
  strike(path: string): { answer: Answer; delayMs: number } | undefined {
    if (this.#left === 0 || (this.#trouble.path ?? path) !== path) return undefined;
    this.#left -= 1;
    const { status = defaults.troubleStatus, retryAfter, delayMs = 0 } = this.#trouble;
    const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return { answer: refused(status, `The sandbox was asked to answer ${status}.`, headers), delayMs };
  }
}
