import { readFields, type Styles } from "../../json/rules";
import { businessHourOperations } from "./business-hours";
import { callOperations } from "./call-actions";
import { type Answer, refusals } from "./envelope";
import type { ServiceState } from "./operation";
import { bodyRefusal, findRoute, type RequestInfo } from "./request";

/** Every operation of the service's interface. */
export const operations = [...callOperations, ...businessHourOperations];

/**
 * Answers a request to the service: checks path and method first, then the token, then the body or query.
 * @param tokenProblem a sentence, unless the request carries the access token
 */
export function answerRequest(
  request: RequestInfo,
  tokenProblem: string | undefined,
  styles: Styles,
  state: ServiceState,
): Answer {
  const found = findRoute(operations, request);
  if ("refusal" in found) return found.refusal;
  if (tokenProblem !== undefined) return refusals.badToken(tokenProblem);

  const { route, id } = found;
  const refusal = route.method === "POST" ? bodyRefusal(request) : undefined;
  if (refusal) return refusal;
  // An empty query parameter, as a form sends it, counts as not given.
  const query = new URLSearchParams([...request.query].filter(([, value]) => value !== ""));
  const source = route.method === "POST" ? request.body.value : Object.fromEntries(query);
  const { values, problems } = readFields(source, route.fields, styles);
  if (problems.length > 0) return refusals.badFields(problems);
  return route.run(values, { id, query, address: `http://${request.host}${request.path}` }, state);
}
