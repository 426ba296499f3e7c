import { controls, problemsOf } from "../inspect/controls";
import type { FaultInjector } from "../inspect/faults";
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

interface InspectionRoute {
  readonly method: string;
  readonly path: string;
  run(request: RequestInfo, state: SandboxState, faults: FaultInjector): Reply | Promise<Reply>;
}

type Reply = Answer | Content;

/** What the sandbox serves beside the service's interface. These routes need no token. */
const routes: readonly InspectionRoute[] = [
  { method: "GET", path: "/sandbox", run: () => ({ status: 200, headers: sandboxPageHeaders, body: sandboxPage }) },
  {
    method: "GET",
    path: "/sandbox/log",
    run: ({ query }, { log }) => jsonList(log.newestAsJson(numberIn(query, "limit"))),
  },
  {
    method: "GET",
    path: "/sandbox/calls",
    run: ({ query }, { calls }) => jsonList(calls.newestAsJson(numberIn(query, "limit"))),
  },
  {
    method: "GET",
    path: "/sandbox/view",
    run: ({ query }, state) => jsonList(JSON.stringify(viewOf(state, numberIn(query, "since") ?? 0))),
  },
  { method: "GET", path: "/sandbox/ringing", run: (_, state) => jsonList(JSON.stringify(ringingIn(state))) },
  {
    method: "GET",
    path: "/sandbox/changes",
    run: ({ query }, { changes }) => nextChange(changes, numberIn(query, "since")),
  },
  { method: "POST", path: "/sandbox/faults", run: changing((body, _state, faults) => problemsOf(faults.set(body))) },
  ...controls.map(({ path, run }) => ({ method: "POST", path, run: changing(run) })),
];

export function isInspection(path: string): boolean {
  return path === "/sandbox" || path.startsWith("/sandbox/");
}

export async function answerInspection(
  request: RequestInfo,
  state: SandboxState,
  faults: FaultInjector,
): Promise<Reply> {
  const found = findRoute(routes, request);
  return "refusal" in found ? found.refusal : found.route.run(request, state, faults);
}

/** `?limit=100`, `?since=7` */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name) ?? "";
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function jsonList(body: string): Content {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
    body,
  };
}

/** A page that waits for changes asks again after this time. Milliseconds. */
const LONGEST_WAIT_MS = 20_000;

/** Answers once something has changed since that revision, or after a while. */
function nextChange(changes: Changes, since = 0): Promise<Content> {
  return new Promise((resolve) => {
    const answer = () => {
      clearTimeout(timer);
      unfollow();
      resolve(jsonList(JSON.stringify({ revision: changes.revision })));
    };
    const timer = setTimeout(answer, LONGEST_WAIT_MS).unref();
    const unfollow = changes.follow(answer);
    // A later revision is that of an earlier sandbox.
    if (changes.revision !== since) answer();
  });
}

type Changing = (body: unknown, state: SandboxState, faults: FaultInjector) => Answer | Promise<Answer>;

/** Refuses forms of other sites: they cannot send JSON, and always send their Origin. */
function changing(run: Changing): InspectionRoute["run"] {
  return (request, state, faults) => {
    if (!isOwnOrigin(request.origin, request.host)) return refusals.foreignOrigin();
    return bodyRefusal(request) ?? run(request.body.value, state, faults);
  };
}
