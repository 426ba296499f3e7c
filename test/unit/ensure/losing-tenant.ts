import type { JobResult, Request } from "../../../src/client";
import { notSent, TenantError } from "../../../src/client";

/** What becomes of one request. */
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

interface Hour {
  readonly id: number;
  readonly name: string;
  readonly enable: number;
  readonly days: readonly object[];
}

const NONE = { attempts: 1, waitedMs: 1, elapsedMs: 1 };

/** A tenant in memory whose schedules are checked after every single request. */
export class LosingTenant {
  readonly hours: Hour[] = [];
  readonly requests: string[] = [];
  readonly violations: string[] = [];
  readonly #late: (() => void)[] = [];
  #lastId = 0;
  /** There is a schedule of the name, so there always must be one. */
  #needed: string | undefined;

  constructor(readonly behaviour: (request: Request, index: number) => Behaviour = () => "answered") {}

  add(name: string, days: readonly object[], enable = 1): Hour {
    this.#lastId += 1;
    const hour = { id: this.#lastId, name, enable, days };
    this.hours.push(hour);
    return hour;
  }

  named(name: string): Hour[] {
    return this.hours.filter((hour) => hour.name === name);
  }

  remove(id: number): void {
    this.hours.splice(
      this.hours.findIndex((hour) => hour.id === id),
      1,
    );
  }

  /** From now on it is a failure if no schedule has the name. */
  needs(name: string): this {
    this.#needed = name;
    return this;
  }

  /** Looks at the ledger after every request. A failed assertion would end as a failure of the message. */
  #check({ method, path }: Request): void {
    if (this.#needed !== undefined && this.named(this.#needed).length === 0)
      this.violations.push(`no schedule after ${method} ${path}`);
  }

  /** What is on its way arrives. */
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
    const fail = (error: TenantError): JobResult => ({ ok: false, error, summary: {}, timings: NONE });
    const gone = () => fail(new TenantError("ERR_CONNECTION_LOST", "headers", { sent: "maybe", ...lost }));
    try {
      if (behaviour === "unsent") return fail(notSent("ERR_CONNECT", "connect", { retryable: true }));
      if (behaviour === "refused")
        return fail(
          new TenantError("ERR_AUTH", "parse", { sent: "yes", outcome: "rejected", retryable: false, httpStatus: 401 }),
        );
      if (behaviour === "lost before") return gone();
      if (behaviour === "late") {
        this.#late.push(() => void this.#carryOut(request));
        return gone();
      }
      const data = this.#carryOut(request);
      if (behaviour === "lost after") return gone();
      if (data instanceof TenantError) return fail(data);
      const envelope = { success: true, code: 200, locale: "en", message: "OK", data } as never;
      return { ok: true, status: 200, envelope, data: behaviour === "empty" ? null : data, summary: {}, timings: NONE };
    } finally {
      this.#check(request);
    }
  };

  #carryOut(request: Request): unknown {
    const id = Number(/\d+$/.exec(request.path)?.[0] ?? Number.NaN);
    const index = this.hours.findIndex((hour) => hour.id === id);
    const missing = () =>
      new TenantError("ERR_REJECTED", "parse", {
        sent: "yes",
        outcome: "rejected",
        retryable: false,
        key: "noSuchSchedule",
      });
    if (request.method === "POST") {
      const { name, enabled, days } = request.body as { name: string; enabled: boolean; days: readonly object[] };
      const { id: created } = this.add(name, days, Number(enabled));
      return { id: created, name, enable: enabled };
    }
    if (request.method === "DELETE") {
      if (index < 0) return missing();
      this.remove(id);
      return null;
    }
    if (!request.path.endsWith("/business-hour")) return this.hours[index] ?? missing();
    const search = String(request.query?.["search"] ?? "").toLowerCase();
    const data = this.hours.filter(({ name }) => name.toLowerCase().includes(search));
    return { current_page: 1, last_page: 1, total: data.length, data };
  }
}
