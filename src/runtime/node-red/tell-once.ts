import type { Node, NodeAPI } from "node-red";
import type { TenantError } from "../../client";
import { perObject } from "./node-state";
import { swallowErrors } from "./swallow-errors";
import { type Actor, sentence } from "./texts";

/** The problem that was told of an object last, its key or code. Delete it when it is solved, or nobody heard it. */
export const told = perObject<object, string>("told problem");

/** Reports a problem once, until it is solved or another one comes. It is reported again of another object. Never throws. */
export function tellOnce(of: object, problem: string, tell: () => unknown): void {
  if (told.get(of) !== problem) swallowErrors(tell);
  told.set(of, problem);
}

/** Logs a problem of a node's settings once. @param of what it is a problem of */
export function logOnce(RED: NodeAPI, node: Node, actor: Actor, problem: TenantError, of: object = node): void {
  tellOnce(of, problem.key, () => node.error(sentence(RED, problem, actor)));
}
