import { type JobResult, type Request, TenantError } from "../../src/client";
import { target } from "../../src/client/request";
import { ACCEPTED, type Received, type Reply } from "./live-tenant";

/** A business hour as the interface shows it in reads. */
export interface Hour {
  readonly id: number;
  readonly name: string;
  readonly enable: number;
  readonly provider_business_hour_id: null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly days: readonly { readonly day: string; readonly open: string; readonly close: string }[];
}

export function hour(id: number, name: string, days: Hour["days"] = ALWAYS, enable = 1): Hour {
  const at = "2023-02-21T08:00:00.000000Z";
  return { id, name, enable, provider_business_hour_id: null, created_at: at, updated_at: at, days };
}

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const ALWAYS = WEEK.map((day) => ({ day, open: "00:00:00", close: "23:59:00" }));
export const NINE_TO_FIVE = WEEK.map((day) => ({ day, open: "09:00:00", close: "17:00:00" }));

export const envelope = (data: unknown, more: object = {}) => ({ ...ACCEPTED, data, ...more });

export const refusal = (message: string) => ({ ...ACCEPTED, success: false, code: 404, message });

/** Makes one page of a list, with addresses that must not be followed. */
export function pageOf(items: readonly unknown[], page: number, perPage: number, more: object = {}): object {
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const start = (page - 1) * perPage;
  const data = items.slice(start, start + perPage);
  const elsewhere = (number: number) => `http://elsewhere.invalid/list?page=${number}`;
  return {
    current_page: page,
    data,
    first_page_url: elsewhere(1),
    from: data.length > 0 ? start + 1 : null,
    last_page: last,
    last_page_url: elsewhere(last),
    next_page_url: page < last ? elsewhere(page + 1) : null,
    path: "http://elsewhere.invalid/list",
    per_page: perPage,
    prev_page_url: page > 1 ? elsewhere(page - 1) : null,
    to: data.length > 0 ? start + data.length : null,
    total: items.length,
    ...more,
  };
}

export const LIST = "/api/v1/setting/business-hour";

export const queryOf = ({ url }: Received) => Object.fromEntries(new URL(url, "http://x").searchParams);

type Asked = Pick<Received, "method" | "url" | "body">;

interface Answered {
  readonly status?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns what a tenant with these business hours answers to a read. */
export function reading(hours: readonly Hour[], { url }: Pick<Asked, "url">): Answered {
  const { pathname, searchParams } = new URL(url, "http://x");
  if (pathname === LIST) {
    const search = (searchParams.get("search") ?? "").toLowerCase();
    const found = hours.filter(({ name }) => name.toLowerCase().includes(search));
    const [page, limit] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("limit") ?? 20)];
    return { body: envelope(pageOf(found, page, limit)) };
  }
  const found = hours.find(({ id }) => pathname === `${LIST}/${id}`);
  return found ? { body: envelope(found) } : { status: 404, body: refusal("Not found") };
}

/** A tenant with these business hours, which each request reads again. */
export const serving =
  (hours: () => readonly Hour[]) =>
  (request: Received): Reply =>
    request.method === "GET" ? reading(hours(), request) : { status: 404, body: refusal("Not found") };

/** The business hours of a tenant, which requests create and delete. */
export class Schedules {
  readonly hours: Hour[] = [];
  #lastId = 0;

  add(name: string, days: Hour["days"], enable = 1): Hour {
    const added = hour(++this.#lastId, name, days, enable);
    this.hours.push(added);
    return added;
  }

  named(name: string): Hour[] {
    return this.hours.filter((each) => each.name === name);
  }

  remove(id: number): void {
    const index = this.hours.findIndex((each) => each.id === id);
    this.hours.splice(index, 1);
  }

  carryOut(asked: Asked): Answered {
    const there = reading(this.hours, asked);
    if (asked.method === "POST") {
      const { name, enabled, days } = asked.body as { name: string; enabled: boolean; days: Hour["days"] };
      const { id, created_at, updated_at } = this.add(name, days, Number(enabled));
      return { body: envelope({ name, enable: enabled, updated_at, created_at, id }) };
    }
    if (asked.method === "GET" || there.status === 404) return there;
    this.remove((there.body["data"] as Hour).id);
    return { body: envelope(null, { code: 0 }) };
  }
}

const TIMINGS = { attempts: 1, waitedMs: 1, elapsedMs: 1 };

/** The result of a request that failed. */
export const failed = (error: TenantError): JobResult => ({ ok: false, error, summary: {}, timings: TIMINGS });

/** The result of a request to a tenant that answers so, for tests without one. */
export function resultOf(request: Request, carryOut: (asked: Asked) => Answered): JobResult {
  const url = target(request, "words");
  const { status = 200, body } = carryOut({ method: request.method, url, body: Object(request).body });
  if (status === 200)
    return { ok: true, status, envelope: body as never, data: body["data"], summary: {}, timings: TIMINGS };
  const facts = { sent: "yes", outcome: "rejected", retryable: false, key: "noSuchSchedule" } as const;
  return failed(new TenantError("ERR_REJECTED", "parse", facts));
}
