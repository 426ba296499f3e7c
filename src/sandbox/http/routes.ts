import { controls } from "../inspect/controls";
import { sandboxPage, sandboxPageHeaders } from "../inspect/page";
import type { SandboxState } from "../inspect/state";
import { ringingIn, viewOf } from "../inspect/view";
import type { Changes } from "../service/changes";
import { type Answer, refusals } from "../service/envelope";
import { bodyRefusal, findRoute, type RequestInfo } from "../service/request";
import { isOwnOrigin } from "./access";

/** An answer that is not an envelope. */
export interface Content {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Reply = Answer | Content;

interface InspectionRoute {
  readonly method: string;
  readonly path: string;
  run(request: RequestInfo, state: SandboxState): Reply | Promise<Reply>;
}

/** The values that can be read as JSON, by the last part of the path. */
const readings: Readonly<Record<string, (state: SandboxState, query: URLSearchParams) => string | Promise<string>>> = {
  log: ({ log }, query) => log.newestAsJson(numberIn(query, "limit")),
  calls: ({ calls }, query) => calls.newestAsJson(numberIn(query, "limit")),
  view: (state, query) => JSON.stringify(viewOf(state, numberIn(query, "since") ?? 0)),
  ringing: (state) => JSON.stringify(ringingIn(state)),
  changes: ({ changes }, query) => nextChange(changes, numberIn(query, "since")),
};

const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** The routes that the sandbox serves beside the service's interface. They need no token. */
const routes: readonly InspectionRoute[] = [
  { method: "GET", path: "/sandbox", run: () => ({ status: 200, headers: sandboxPageHeaders, body: sandboxPage }) },
  ...Object.entries(readings).map(([name, read]) => ({
    method: "GET",
    path: `/sandbox/${name}`,
    run: async ({ query }: RequestInfo, state: SandboxState) => ({
      status: 200,
      headers: JSON_HEADERS,
      body: await read(state, query),
    }),
  })),
  ...Object.entries(controls).map(
    ([name, run]): InspectionRoute => ({
      method: "POST",
      path: `/sandbox/${name}`,
      run(request, state) {
        // Forms of other sites cannot send JSON, and always send their Origin.
        if (!isOwnOrigin(request.origin, request.host)) return refusals.foreignOrigin();
        return bodyRefusal(request) ?? run(request.body.value, state);
      },
    }),
  ),
];

export function isInspection(path: string): boolean {
  return path === "/sandbox" || path.startsWith("/sandbox/");
}

export async function answerInspection(request: RequestInfo, state: SandboxState): Promise<Reply> {
  const found = findRoute(routes, request);
  return "refusal" in found ? found.refusal : found.route.run(request, state);
}

/** Reads a number, as in `?limit=100` or `?since=7`. */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name) ?? "";
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** A page that waits for changes asks again after this time. Milliseconds. */
const LONGEST_WAIT_MS = 20_000;

/** The revision as JSON, once something has changed since that one, or after a while. */
function nextChange(changes: Changes, since = 0): Promise<string> {
  return new Promise((resolve) => {
    const answer = () => {
      clearTimeout(timer);
      unfollow();
      resolve(JSON.stringify({ revision: changes.revision }));
    };
    const timer = setTimeout(answer, LONGEST_WAIT_MS).unref();
    const unfollow = changes.follow(answer);
    // A later revision is that of an earlier sandbox.
    if (changes.revision !== since) answer();
  });
}
