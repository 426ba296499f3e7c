import { limits } from "./assumptions";
import { type Answer, refusals } from "./envelope";

/** The body of a request. `text` and `value` are undefined where there is none. */
export interface Body {
  readonly bytes: number;
  /** The whole text; undefined for a body that is too large or not UTF-8. */
  readonly text?: string;
  /** The parsed JSON. */
  readonly value?: unknown;
}

/** The parts of a request on which its answer depends. */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The Host header, such as `127.0.0.1:4010`. */
  readonly host: string;
  readonly origin: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Body;
  /** The node of Node-RED that sent the request, as a header names it. */
  readonly node?: string | undefined;
}

/** The refusal of a body that is too large, is not declared as JSON, or is not JSON; undefined for a good one. */
export function bodyRefusal({ contentType, body }: RequestInfo): Answer | undefined {
  if (body.bytes > limits.bodyBytes) return refusals.bodyTooLarge();
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? "")) return refusals.notJsonType();
  return body.value === undefined ? refusals.notJson() : undefined;
}

interface Route {
  readonly method: string;
  /** May end in `:id`, which stands for a whole number. */
  readonly path: string;
}

/** The route of a request and the number in place of `:id`, if any; or the refusal of an unknown path or method. */
export function findRoute<R extends Route>(routes: readonly R[], { method, path }: RequestInfo) {
  const candidates = routes.filter((route) => idIn(path, route.path) !== undefined);
  if (candidates.length === 0) return { refusal: refusals.unknownPath(path) };
  const route = candidates.find((candidate) => candidate.method === method);
  if (route) return { route, id: idIn(path, route.path) ?? "" };
  const allowed = candidates.map((candidate) => candidate.method);
  return { refusal: refusals.wrongMethod(method, allowed) };
}

function idIn(path: string, template: string): string | undefined {
  if (!template.endsWith(":id")) return path === template ? "" : undefined;
  const prefix = template.slice(0, -":id".length);
  const id = path.slice(prefix.length);
  return path.startsWith(prefix) && /^\d+$/.test(id) ? id : undefined;
}
