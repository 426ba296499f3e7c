import { isOwnOrigin } from "../http/access";
import { type Answer, accepted, refusals } from "../service/envelope";
import { bodyRefusal, findRoute, type RequestInfo } from "../service/request";
import type { SandboxState } from "../state";
import type { FaultInjector } from "./faults";
import { sandboxPage, sandboxPageHeaders } from "./page";

/** An answer that is not an envelope. */
export interface Content {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface InspectionRoute {
  readonly method: string;
  readonly path: string;
  run(request: RequestInfo, state: SandboxState, faults: FaultInjector): Answer | Content;
}

/** What the sandbox serves beside the service's interface. These routes need no token. */
const routes: readonly InspectionRoute[] = [
  { method: "GET", path: "/sandbox", run: () => ({ status: 200, headers: sandboxPageHeaders, body: sandboxPage }) },
  { method: "GET", path: "/sandbox/log", run: ({ query }, { log }) => jsonList(log.newestAsJson(limitOf(query))) },
  {
    method: "GET",
    path: "/sandbox/calls",
    run: ({ query }, { calls }) => jsonList(calls.newestAsJson(limitOf(query))),
  },
  { method: "POST", path: "/sandbox/faults", run: (request, _state, faults) => injectFaults(request, faults) },
];

export function isInspection(path: string): boolean {
  return path === "/sandbox" || path.startsWith("/sandbox/");
}

export function answerInspection(request: RequestInfo, state: SandboxState, faults: FaultInjector): Answer | Content {
  const found = findRoute(routes, request);
  return "refusal" in found ? found.refusal : found.route.run(request, state, faults);
}

/** `?limit=100` returns the newest hundred. */
function limitOf(query: URLSearchParams): number | undefined {
  const limit = query.get("limit") ?? "";
  return /^\d{1,6}$/.test(limit) ? Number(limit) : undefined;
}

function jsonList(body: string): Content {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
    body,
  };
}

/** A form on another site can post here, but neither as JSON nor without its Origin. */
function injectFaults(request: RequestInfo, faults: FaultInjector): Answer {
  if (!isOwnOrigin(request.origin, request.host)) return refusals.foreignOrigin();
  const refusal = bodyRefusal(request);
  if (refusal) return refusal;
  const problems = faults.set(request.body.value);
  return problems.length > 0 ? refusals.badFields(problems) : accepted(null);
}
