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

/** One page of a list, with addresses that must not be followed. */
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

/** A tenant with these business hours, which each request reads again. */
export function serving(hours: () => readonly Hour[]): (request: Received) => Reply {
  return ({ method, url }) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    if (method === "GET" && pathname === LIST) {
      const search = (searchParams.get("search") ?? "").toLowerCase();
      const found = hours().filter(({ name }) => name.toLowerCase().includes(search));
      return {
        body: envelope(pageOf(found, Number(searchParams.get("page") ?? 1), Number(searchParams.get("limit") ?? 20))),
      };
    }
    const found = hours().find(({ id }) => pathname === `${LIST}/${id}`);
    if (method === "GET" && found) return { body: envelope(found) };
    return { status: 404, body: refusal("Not found") };
  };
}
