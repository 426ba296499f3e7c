import type { JobResult, Query, Request, RequestSummary, Timings } from "../../tenant";
import { TenantError } from "../../tenant/errors";

/** What a request over several pages may do while it runs. */
export interface Run {
  readonly request: Request;
  /** Does one request in its turn, as any other. */
  ask(request: Request): Promise<JobResult>;
  /** Prepares the messages of one page. */
  emitter(page: Answered): Emit;
  progress(page: number, pages: number): void;
}

/** What reading takes where nothing is sent on the way. */
type Reading = Omit<Run, "emitter">;

/** Sends one item on. `false`: there is nobody to send it any more, the flow was changed meanwhile. */
export type Emit = (item: unknown, place: Place) => boolean;

/** An item's place among all that will be sent. */
export interface Place {
  readonly index: number;
  readonly count: number;
}

/** How a page of the list looks in the service's interface. */
interface Page {
  readonly data: readonly unknown[];
  readonly current_page: number;
  readonly last_page: number;
  readonly total: number;
  readonly from?: unknown;
}

export type Answered = Extract<JobResult, { ok: true }>;

/** Follows the pages and answers with one list of all items. */
export async function wholeList(run: Reading): Promise<JobResult> {
  const items: unknown[] = [];
  return follow(
    run,
    (page) => {
      for (const item of page.data) items.push(item);
      return undefined;
    },
    (last) => ({ ...last, data: items }),
  );
}

/** Follows the pages and sends each item on as it comes; holds one page at a time. */
export async function eachOf(run: Run): Promise<JobResult> {
  let index = 0;
  let total: number | undefined;
  let count = 0;
  return follow(
    run,
    (page, answered) => {
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
    },
    (last) => ({ ...last, sentOn: true }),
    () => (index < count ? "totalChanged" : undefined),
  );
}

/** Begun further on, the items before are not sent, and a join must not wait for them. */
function itemsBefore({ current_page, last_page, from, total }: Page): number {
  if (current_page > last_page) return total;
  return typeof from === "number" ? from - 1 : 0;
}

type Trouble = "totalChanged" | "redeployed" | "emptyPage" | "wrongPage" | "noPage" | undefined;

async function follow(
  run: Reading,
  take: (page: Page, answered: Answered) => Trouble,
  finish: (last: Answered) => JobResult,
  complete: () => Trouble = () => undefined,
): Promise<JobResult> {
  const query: Query = run.request.method === "GET" ? (run.request.query ?? {}) : {};
  let request = run.request;
  let tally: Timings = { attempts: 0, waitedMs: 0, elapsedMs: 0 };
  for (;;) {
    const end = await run.ask(request);
    tally = sum(tally, end.tally);
    if (!end.ok) return { ...end, tally };
    const page = asPage(end.data);
    const trouble = page && (unfit(page, request) ?? take(page, end));
    if (!page || trouble) return broken(trouble ?? "noPage", end, run.request, tally);
    if (page.current_page >= page.last_page) {
      const missing = complete();
      return missing ? broken(missing, end, run.request, tally) : finish({ ...end, asked: { ...query }, tally });
    }
    run.progress(page.current_page, page.last_page);
    // By number on the tenant's own address: an address from an answer could lead elsewhere, with the token.
    request = { method: "GET", path: run.request.path, query: { ...query, page: page.current_page + 1 } };
  }
}

/** A service that answers with another page than the one asked for would be asked for ever. */
function unfit({ data, current_page, last_page }: Page, request: Request): Trouble {
  const asked = request.method === "GET" ? request.query?.["page"] : undefined;
  if (asked !== undefined && asked !== current_page) return "wrongPage";
  return data.length === 0 && current_page < last_page ? "emptyPage" : undefined;
}

function asPage(data: unknown): Page | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const page = data as Partial<Page>;
  const numbers = [page.current_page, page.last_page, page.total].every((value) => Number.isSafeInteger(value));
  return numbers && Array.isArray(page.data) ? (page as Page) : undefined;
}

function broken(trouble: NonNullable<Trouble>, { status }: Answered, request: Request, tally: Timings): JobResult {
  const asked: RequestSummary = request.method === "GET" ? { ...request.query } : {};
  const error =
    trouble === "redeployed"
      ? new TenantError("ERR_DROPPED", "queue", "yes", "not-applied", true, {}, "redeployed")
      : new TenantError(
          "ERR_BAD_RESPONSE",
          "parse",
          "yes",
          "not-applied",
          true,
          { httpStatus: status },
          `pages.${trouble}`,
        );
  return { ok: false, error, asked, tally };
}

function sum(a: Timings, b: Timings): Timings {
  return { attempts: a.attempts + b.attempts, waitedMs: a.waitedMs + b.waitedMs, elapsedMs: a.elapsedMs + b.elapsedMs };
}
