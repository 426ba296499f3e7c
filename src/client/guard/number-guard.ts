import { hashOf, type Key } from "../../backlog";
import type { Source } from "../../fields";
import { ValueError } from "../../hours/value-error";
import { notSent, type TenantError } from "../errors";
import type { Job } from "../job";
import { operationOf, operations } from "../operations";
import { asConfigError } from "../refused-value";
import type { Settings } from "../settings";
import { ListSource } from "./list-source";
import { isCountry, NumberNormalizer } from "./number-normalizer";
import type { OptOuts } from "./opt-outs";
import type { PhoneList } from "./phone-list";

export interface GuardLists {
  readonly allow: Source;
  readonly block: Source;
}

type Limits = Pick<Settings, "country" | "perNumber" | "perNumberMs">;

/** The part of a job that a guard checks: plain data, so that a job of an earlier process is guarded, too. */
export type Guarded = Pick<Job, "action" | "request" | "alarm">;

export type Guard = Pick<NumberGuard, "check" | "checkAgain" | "optOuts" | "rateLimitKeys" | "mayBeTwo">;

/** Decides which numbers a tenant's calls may reach, by lists, and by how often a number is called. */
export class NumberGuard {
  readonly #normalizer: NumberNormalizer;
  readonly #allow: ListSource;
  readonly #block: ListSource;

  /**
   * @param optOuts numbers whose owners do not want to be called
   * @throws ValueError for a list that is not valid, or an unknown country
   */
  constructor(
    private readonly limits: Limits,
    lists: GuardLists,
    readonly optOuts?: OptOuts,
  ) {
    const { country } = limits;
    if (country !== "" && !isCountry(country)) throw new ValueError("config.country", "country", { country });
    this.#normalizer = new NumberNormalizer(country);
    this.#allow = new ListSource(lists.allow, this.#normalizer, "allow");
    this.#block = new ListSource(lists.block, this.#normalizer, "block");
    optOuts?.readAs(country, this.#normalizer);
  }

  /**
   * Returns the reason why a request must not be sent, if there is one: ERR_BLOCKED, or ERR_CONFIG if a list cannot be read. Asked
   * when the request is accepted, and again before each attempt. Never throws or rejects.
   */
  check({ request, alarm }: Guarded): TenantError | undefined | Promise<TenantError | undefined> {
    const number = calledNumber(request);
    if (number === undefined) return undefined;
    const isLimited = this.limits.perNumber > 0 && !alarm;
    const [allow, block, optedOut] = [this.#allow.read(), this.#block.read(), this.optOuts?.refusal(number)];
    if (allow instanceof Promise || block instanceof Promise || optedOut instanceof Promise)
      return Promise.all([allow, block, optedOut]).then(
        ([allowed, blocked, refusal]) => this.#verdict(number, isLimited, allowed, blocked) ?? refusal,
        asConfigError,
      );
    return this.#verdict(number, isLimited, allow, block) ?? optedOut;
  }

  /** Returns the reason why a request must not be sent whose number was blocked since `check` let it pass. */
  checkAgain({ request }: Guarded): TenantError | undefined {
    const number = calledNumber(request);
    return number === undefined ? undefined : this.optOuts?.refusalNow(number);
  }

  /** The keys of which each call to the same number takes a use; none if calls are not limited, or for an alarm. */
  rateLimitKeys({ request, alarm }: Guarded): readonly Key[] {
    const { perNumber: uses, perNumberMs: forMs } = this.limits;
    if (uses === 0 || alarm || operationOf(request) !== operations.callOut) return [];
    const number = calledNumber(request);
    if (number === undefined) return [];
    return this.#normalizer.formsInAnyCountry(number).map((form) => ({ hash: hashOf(`guard ${form}`), forMs, uses }));
  }

  /** Whether a number to call may be two, and nothing refuses it. */
  mayBeTwo(number: string, isAlarm: boolean): boolean {
    const isGuarded = (this.limits.perNumber > 0 && !isAlarm) || !this.#allow.isEmpty || !this.#block.isEmpty;
    return !(isGuarded && this.limits.country !== "") && this.#normalizer.mayBeTwo(number);
  }

  #verdict(number: string, isLimited: boolean, allow: PhoneList, block: PhoneList): TenantError | undefined {
    if (allow.isEmpty && block.isEmpty && !isLimited) return undefined;
    const { forms, isWhole, national } = this.#normalizer.read(number);
    const field = "to.number";
    if (!isWhole || forms.length === 0)
      return notSent("ERR_BLOCKED", "queue", { key: "blocked.unreadable", rule: "unreadable", field });
    if ([...forms, ...national].some((form) => block.has(form)))
      return notSent("ERR_BLOCKED", "queue", { rule: "block", field });
    if (allow.isEmpty || forms.every((form) => allow.has(form))) return undefined;
    return notSent("ERR_BLOCKED", "queue", { key: "blocked.allow", rule: "allow", field });
  }
}

/** From so many digits on, an internal number may be one outside the tenant. */
const DIGITS_OF_EXTERNAL = 7;

/** The number outside the tenant that a request would call. */
function calledNumber(request: Guarded["request"]): string | undefined {
  if (request.method !== "POST") return undefined;
  const operation = operationOf(request);
  if (!operation.dials) return undefined;
  const { "to.type": type, "to.number": number } = request.body;
  if (typeof number !== "string") return undefined;
  const isExternal = type === undefined ? operation === operations.callOut : type === "external";
  if (isExternal) return number;
  const mayBeOne = type !== "queue" && number.length >= DIGITS_OF_EXTERNAL;
  return mayBeOne && (number.match(/\p{Nd}/gu)?.length ?? 0) >= DIGITS_OF_EXTERNAL ? number : undefined;
}
