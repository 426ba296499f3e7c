import { notJson } from "../http/json-only";
import type { Heard } from "../inspect/request-log";
import type { Answer } from "./envelope";
import { operationsAt } from "./operations";
import { refusals } from "./refusals";
import type { SandboxState } from "./state";

/** A request to one of the service's own paths, as far as it decides the answer. */
export interface ApiRequest extends Heard {
  /** As the client spelled it: `127.0.0.1:4010`. */
  readonly host: string;
  readonly contentType: string | undefined;
  /** Whether it came with the token. */
  readonly isAuthentic: boolean;
}

/** The answer of the service: first the place, then who asks, then what was sent. */
export function answerApi(request: ApiRequest, state: SandboxState, authHeader: string): Answer {
  const { method, path, query, body } = request;
  const place = operationsAt(path);
  if (!place) return refusals.unknownPath(path);
  const operation = place.methods[method];
  if (!operation) return refusals.wrongMethod(method, Object.keys(place.methods));
  if (!request.isAuthentic) return refusals.badToken(authHeader);
  const refusal = method === "POST" ? notJson(request.contentType, body) : undefined;
  if (refusal) return refusal;
  return operation({ id: place.id, query, body: body.value, address: `http://${request.host}${path}` }, state);
}
