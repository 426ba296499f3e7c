import { hashOf, type Key } from "../../backlog";
import { FieldError, type Source, sourceInWords } from "../../fields";
import { reasonOf } from "../../fields/quote";
import { SettingError } from "../../fields/setting";
import { notSent, type TenantError } from "../errors";
import type { Settings } from "../settings";
import type { Guard, Guarded } from "./guard";
import { ListSource } from "./list-source";
import type { NumberList } from "./number-list";
import { isCountry, Spellings } from "./spellings";

/** Where the lists of a guard are. */
export interface GuardLists {
  readonly allow: Source;
  readonly block: Source;
}

type Limits = Pick<Settings, "country" | "perNumber" | "perNumberMs">;

const CALL_OUT = "/api/v1/call/call-out";

/** Decides by lists of numbers, and by how often a number is called. */
export class NumberGuard implements Guard {
  readonly #limits: Limits;
  readonly #spellings: Spellings;
  readonly #allow: ListSource;
  readonly #block: ListSource;

  /**
   * @throws FieldError for a list that is not valid
   * @throws SettingError for an unknown country
   */
  constructor(limits: Limits, lists: GuardLists) {
    const { country } = limits;
    if (country !== "" && !isCountry(country)) throw new SettingError("country", "country", { country });
    this.#limits = limits;
    this.#spellings = new Spellings(country);
    this.#allow = new ListSource(lists.allow, this.#spellings, "allow");
    this.#block = new ListSource(lists.block, this.#spellings, "block");
  }

  check({ request }: Guarded): TenantError | undefined | Promise<TenantError | undefined> {
    const number = calledNumber(request);
    if (number === undefined) return undefined;
    const [allow, block] = [this.#allow.read(), this.#block.read()];
    if (allow instanceof Promise || block instanceof Promise)
      return Promise.all([allow, block]).then((lists) => this.#verdict(number, ...lists), unreadable);
    return this.#verdict(number, allow, block);
  }

  share({ request }: Guarded): Key | undefined {
    const { perNumber: uses, perNumberMs: forMs } = this.#limits;
    const number = request.path === CALL_OUT ? calledNumber(request) : undefined;
    if (uses === 0 || number === undefined) return undefined;
    return { hash: hashOf(`guard ${this.#spellings.of(number) || number}`), forMs, uses };
  }

  #verdict(number: string, allow: NumberList, block: NumberList): TenantError | undefined {
    if (allow.isEmpty && block.isEmpty) return undefined;
    const form = this.#spellings.of(number);
    if (block.has(form)) return notSent("ERR_BLOCKED", "queue", { rule: "block", field: "to.number" });
    if (allow.isEmpty || allow.has(form)) return undefined;
    return notSent("ERR_BLOCKED", "queue", { key: "blocked.allow", rule: "allow", field: "to.number" });
  }
}

/** The number outside the tenant that a request would call. */
function calledNumber(request: Guarded["request"]): string | undefined {
  if (request.method !== "POST" || !request.path.startsWith("/api/v1/call/")) return undefined;
  const { "to.type": type, "to.number": number } = request.body;
  const isExternal = type === undefined ? request.path === CALL_OUT : type === "external";
  return isExternal && typeof number === "string" ? number : undefined;
}

/** A list that cannot be read: ERR_CONFIG that names the property and its source. */
export function unreadable(error: unknown): TenantError {
  if (!(error instanceof FieldError))
    return notSent("ERR_CONFIG", "config", { key: "input.unexpected", params: { reason: reasonOf(error) } });
  const { key, field, params, source } = error;
  return notSent("ERR_CONFIG", "config", {
    key: `input.${key}`,
    field,
    ...(source !== undefined && { source }),
    params: { field, source: sourceInWords(source ?? field), ...params },
  });
}
