import type { Request } from "./request";

interface Operation {
  /** The type of the node that asks for it; reports and tests of flows name it so. */
  readonly action: string;
  /** A GET changes nothing: it may be repeated, and is sent in log mode, too. */
  readonly method: Request["method"];
  /** Below the tenant's address; `:id` stands for the id of a business hour. */
  readonly path: string;
  /** Whether the service dials the number in `to.number`, so that the tenant's guard has to check it. */
  readonly dials?: true;
}

/** The version of the service's interface. Pasted addresses may end with it. */
export const API = "/api/v1";

const CALL = `${API}/call`;
const BUSINESS_HOUR = `${API}/setting/business-hour`;

/** The operations of docs/service-interface.md. No other code of the client or the nodes knows a path of the service. */
export const operations = {
  stopCall: { action: "call-stop", method: "POST", path: `${CALL}/stop-a-call` },
  transferCall: { action: "call-transfer", method: "POST", path: `${CALL}/transfer`, dials: true },
  transferCallAdvanced: { action: "call-transfer", method: "POST", path: `${CALL}/transfer/advance`, dials: true },
  addUser: { action: "call-add-user", method: "POST", path: `${CALL}/add-user`, dials: true },
  callOut: { action: "call-out", method: "POST", path: `${CALL}/call-out`, dials: true },
  listBusinessHours: { action: "business-hour-list", method: "GET", path: BUSINESS_HOUR },
  readBusinessHour: { action: "business-hour-get", method: "GET", path: `${BUSINESS_HOUR}/:id` },
  createBusinessHour: { action: "business-hour-create", method: "POST", path: BUSINESS_HOUR },
  deleteBusinessHour: { action: "business-hour-delete", method: "DELETE", path: `${BUSINESS_HOUR}/:id` },
} as const satisfies Record<string, Operation>;

/**
 * The request of an operation, with the values that are given: a POST has them in its body, a list in its query, and all
 * others have an `id` in their path.
 * @throws TypeError for an id that is not digits only, so that no value can lead to another path
 */
export function requestFor({ method, path }: Operation, values: Readonly<Record<string, unknown>> = {}): Request {
  if (method === "POST") {
    const body: Record<string, unknown> = {};
    for (const name in values) if (values[name] !== undefined) body[name] = values[name];
    return { method, path, body };
  }
  if (!path.endsWith(":id")) return { method: "GET", path, query: values as Record<string, string> };
  const id = String(values["id"]);
  if (!/^\d{1,18}$/.test(id)) throw new TypeError("a path takes ids of digits only");
  return { method, path: path.replace(":id", id), summary: { id } };
}

/** The operation that a POST was made for. One of another version, left in a journal, is checked like a call-out. */
export function operationOf({ path }: Request): Operation {
  return OPERATION_OF.get(path) ?? operations.callOut;
}

const OPERATION_OF: ReadonlyMap<string, Operation> = new Map(
  Object.values(operations).flatMap((one) => (one.method === "POST" ? [[one.path, one]] : [])),
);

/** The operation of a request as a tenant receives it. */
export function operationAt(method: string, path: string): Operation | undefined {
  return Object.values<Operation>(operations).find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(":id", "[^/]+")}$`).test(path),
  );
}

/** The sentence for a 404 of the service: a request names a call in its body, or a schedule in its path. */
export function missingOf(request: Request): "noSuchCall" | "noSuchSchedule" | undefined {
  if (request.method === "POST") return Object.hasOwn(request.body, "callId") ? "noSuchCall" : undefined;
  return request.path === BUSINESS_HOUR ? undefined : "noSuchSchedule";
}

export function changesSchedules({ method, path }: Request): boolean {
  return method !== "GET" && path.startsWith(BUSINESS_HOUR);
}
