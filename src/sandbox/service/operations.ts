import { createBusinessHour, deleteBusinessHour, listBusinessHours, readBusinessHour } from "./business-hours";
import { addUser, advancedTransfer, callOut, stopCall, transfer } from "./call-actions";
import type { Operation } from "./operation";

type Methods = Readonly<Partial<Record<string, Operation>>>;

/** The operations of the interface, by path and method. */
const operations: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ["/api/v1/call/stop-a-call", { POST: stopCall }],
  ["/api/v1/call/transfer", { POST: transfer }],
  ["/api/v1/call/transfer/advance", { POST: advancedTransfer }],
  ["/api/v1/call/add-user", { POST: addUser }],
  ["/api/v1/call/call-out", { POST: callOut }],
  ["/api/v1/setting/business-hour", { GET: listBusinessHours, POST: createBusinessHour }],
]);
const oneBusinessHour: Methods = { GET: readBusinessHour, DELETE: deleteBusinessHour };

/** The methods of a path and the `:id` in it; undefined for a path that does not exist. */
export function operationsAt(path: string): { methods: Methods; id: string } | undefined {
  const id = /^\/api\/v1\/setting\/business-hour\/(\d+)$/.exec(path)?.[1];
  if (id !== undefined) return { methods: oneBusinessHour, id };
  const methods = operations.get(path);
  return methods && { methods, id: "" };
}
