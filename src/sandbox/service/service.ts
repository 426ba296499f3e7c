import { isObject, readFields } from "../../json/rules";
import { businessHourOperations } from "./business-hours";
import { callOperations } from "./call-actions";
import { type Answer, refusals } from "./envelope";
import type { ServiceState, Styles } from "./operation";
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
  const fields = typeof route.fields === "function" ? route.fields(styles) : route.fields;
  const source =
    route.method === "POST" ? flat(request.body.value, Object.keys(fields), styles) : Object.fromEntries(query);
  const { values, problems } = readFields(source, fields);
  if (problems.length > 0) return refusals.badFields(problems);
  return route.run(values, { id, query, address: `http://${request.host}${request.path}` }, state);
}

/** The fields of a body by their names. `to.number` is the key `to.number`, as the interface spells it, or else the key `number` of `to`. */
function flat(body: unknown, fields: readonly string[], { parties }: Styles): unknown {
  if (!isObject(body)) return body;
  const given = (field: string): unknown => {
    const isDotted = field.includes(".");
    if (Object.hasOwn(body, field) && !(isDotted && parties === "nested")) return body[field];
    const [role = "", part = ""] = field.split(".");
    const party = isDotted && parties !== "dotted" && Object.hasOwn(body, role) ? body[role] : undefined;
    return isObject(party) && Object.hasOwn(party, part) ? party[part] : undefined;
  };
  return Object.fromEntries(fields.map((field) => [field, given(field)]));
}
