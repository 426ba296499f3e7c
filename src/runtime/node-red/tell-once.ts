import { perObject } from "./node-state";
import { swallowErrors } from "./swallow-errors";

/** The problem that was told of an object last, its key or code. Delete it when it is solved, or nobody heard it. */
export const told = perObject<object, string>("told problem");

/** Reports a problem once, until it is solved or another one comes. It is reported again of another object. Never throws. */
export function tellOnce(of: object, problem: string, tell: () => unknown): void {
  if (told.get(of) !== problem) swallowErrors(tell);
  told.set(of, problem);
}
