import type { JobResult, Request } from "../../../src/client";
import { notSent, TenantError } from "../../../src/client";
import { failed, resultOf, Schedules } from "../../support/business-hours";

/** The fate of one request. */
export type Behaviour =
  | "answered"
  /** Not a byte has left. */
  | "unsent"
  | "refused"
  /** It never arrives. */
  | "lost before"
  /** It is carried out, and its answer does not arrive. */
  | "lost after"
  /** Its answer does not arrive, and it is carried out some time later. */
  | "late"
  /** Answered, but without the data. */
  | "empty";

/** A tenant in memory whose schedules are checked after every single request. */
export class LosingTenant extends Schedules {
  readonly requests: string[] = [];
  readonly violations: string[] = [];
  readonly #late: (() => void)[] = [];
  /** There is a schedule of the name, so there always must be one. */
  #needed: string | undefined;

  constructor(readonly behaviour: (request: Request, index: number) => Behaviour = () => "answered") {
    super();
  }

  /** Makes it a failure from now on if no schedule has the name. */
  needs(name: string): this {
    this.#needed = name;
    return this;
  }

  /** Looks at the ledger after every request. A failed assertion would end as a failure of the message. */
  #check({ method, path }: Request): void {
    if (this.#needed !== undefined && this.named(this.#needed).length === 0)
      this.violations.push(`no schedule after ${method} ${path}`);
  }

  /** Lets what is on its way arrive. */
  arrive(): void {
    for (const apply of this.#late.splice(0)) apply();
  }

  readonly send = async (request: Request): Promise<JobResult> => {
    await new Promise((resolve) => setImmediate(resolve));
    const behaviour = this.behaviour(request, this.requests.length);
    this.requests.push(`${request.method} ${request.path}`);
    const isRead = request.method === "GET";
    const lost = {
      outcome: isRead ? "not-applied" : "unknown",
      retryable: isRead || request.method === "DELETE",
    } as const;
    const gone = () => failed(new TenantError("ERR_CONNECTION_LOST", "headers", { sent: "maybe", ...lost }));
    try {
      if (behaviour === "unsent") return failed(notSent("ERR_CONNECT", "connect", { retryable: true }));
      if (behaviour === "refused")
        return failed(
          new TenantError("ERR_AUTH", "parse", { sent: "yes", outcome: "rejected", retryable: false, httpStatus: 401 }),
        );
      if (behaviour === "lost before") return gone();
      if (behaviour === "late") {
        this.#late.push(() => void resultOf(request, (asked) => this.carryOut(asked)));
        return gone();
      }
      const result = resultOf(request, (asked) => this.carryOut(asked));
      if (behaviour === "lost after") return gone();
      return behaviour === "empty" && result.ok ? { ...result, data: null } : result;
    } finally {
      this.#check(request);
    }
  };
}
