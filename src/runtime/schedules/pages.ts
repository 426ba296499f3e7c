import { type Answered, type JobResult, NO_TIMINGS, type Query, type Request, type Timings } from "../../client";
import { TenantError } from "../../client/errors";

/** The tools of an action of several requests while it runs. */
interface Run {
  /** The first request. */
  readonly request: Request;
  send(request: Request): Promise<JobResult>;
  progress?(page: number, pages: number): void;
}

/**
 * Prepares the messages of one page. The result sends one item to the next node, and returns `false` if this node was replaced
 * meanwhile.
 */
type Emitter = (page: Answered) => (data: unknown, item: Item) => boolean;

/** One of all items to be sent, counted from 0. */
export interface Item {
  readonly index: number;
  readonly count: number;
}

/** A page of a list, as the service's interface shows it. */
interface Page {
  readonly data: readonly unknown[];
  readonly current_page: number;
  readonly last_page: number;
  readonly total: number;
  readonly from?: unknown;
}

/** Follows the pages and returns one list of all items. */
export async function wholeList(run: Run): Promise<JobResult> {
  const items: unknown[] = [];
  const result = await follow(run, (page) => {
    for (const item of page.data) items.push(item);
    return undefined;
  });
  return result.ok ? { ...result, data: items } : result;
}

/** Follows the pages and sends each item as it arrives; holds one page at a time. */
export async function eachOf(run: Run & { readonly emitter: Emitter }): Promise<JobResult> {
  let index = 0;
  let total: number | undefined;
  let count = 0;
  const result = await follow(run, (page, answered) => {
    if (total === undefined) {
      total = page.total;
      count = total - itemsBefore(page);
    }
    if (page.total !== total) return "totalChanged";
    const emit = run.emitter(answered);
    for (const item of page.data) {
      if (index >= count) return "totalChanged";
      if (!emit(item, { index, count })) return "redeployed";
      index += 1;
    }
    return undefined;
  });
  if (!result.ok) return result;
  return index < count ? broken("totalChanged", result) : { ...result, sentOn: true };
}

/** The number of items before the first page that is read: they are not sent, and a join node must not wait for them. */
function itemsBefore({ current_page, last_page, from, total }: Page): number {
  if (current_page > last_page) return total;
  return typeof from === "number" ? from - 1 : 0;
}

/** The reason why a list cannot be read to its end. */
type Fault = "totalChanged" | "redeployed" | "emptyPage" | "wrongPage" | "noPage" | "tooMany";

/** Most pages of one list. Our choice: the interface shows no limit. */
const MAX_PAGES = 10_000;

/** Reads page after page. Returns the last answer, with the timings of all. */
async function follow(run: Run, take: (page: Page, answered: Answered) => Fault | undefined): Promise<JobResult> {
  const query: Query = run.request.method === "GET" ? (run.request.query ?? {}) : {};
  let request = run.request;
  let timings = NO_TIMINGS;
  let first: Page | undefined;
  let items = 0;
  for (;;) {
    const answered = await run.send(request);
    timings = sum(timings, answered.timings);
    if (!answered.ok) return { ...answered, timings };
    const all: Answered = { ...answered, summary: { ...query }, timings };
    const page = asPage(answered.data);
    if (!page) return broken("noPage", all);
    first ??= page;
    items += page.data.length;
    const requested = request.method === "GET" ? request.query?.["page"] : undefined;
    const fault = unfit(page, requested, first, items) ?? take(page, answered);
    if (fault) return broken(fault, all);
    if (page.current_page >= page.last_page) return all;
    run.progress?.(page.current_page, page.last_page);
    // By number, on the tenant's own address: an address from an answer could lead elsewhere, with the token.
    request = { method: "GET", path: run.request.path, query: { ...query, page: page.current_page + 1 } };
  }
}

/**
 * Stops if the service answers with a page other than the one requested, and after the number of pages that the first page
 * gives; otherwise a service that always has another page would make this loop.
 * @param items read so far
 */
function unfit({ data, current_page, last_page }: Page, requested: unknown, first: Page, items: number) {
  if (requested !== undefined && requested !== current_page) return "wrongPage";
  if (current_page >= last_page) return undefined;
  if (data.length === 0) return "emptyPage";
  if (first.last_page - first.current_page >= MAX_PAGES) return "tooMany";
  return last_page > first.last_page || items >= first.total ? "totalChanged" : undefined;
}

function asPage(data: unknown): Page | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const page = data as Partial<Page>;
  const numbers = [page.current_page, page.last_page, page.total].every((value) => Number.isSafeInteger(value));
  return numbers && Array.isArray(page.data) ? (page as Page) : undefined;
}

function broken(fault: Fault, { status, summary, timings }: Answered): JobResult {
  const error =
    fault === "redeployed"
      ? new TenantError("ERR_DROPPED", "queue", { sent: "yes", key: fault })
      : new TenantError("ERR_BAD_RESPONSE", "parse", {
          sent: "yes",
          outcome: "not-applied",
          retryable: true,
          key: `pages.${fault}`,
          httpStatus: status,
          params: { most: MAX_PAGES },
        });
  return { ok: false, error, summary, timings };
}

/** The timings of two requests together. */
export function sum(a: Timings, b: Timings): Timings {
  return { attempts: a.attempts + b.attempts, waitedMs: a.waitedMs + b.waitedMs, elapsedMs: a.elapsedMs + b.elapsedMs };
}
