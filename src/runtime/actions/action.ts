import type { Fields, Values } from "../../fields";
import type { Body, JobResult, Query, Repeat, Request, RequestSummary } from "../../tenant";
import type { Run } from "./pages";

/** The hotline that a tenant offers to calls which name none. */
export interface Hotline {
  readonly fromNumber: string | undefined;
  readonly fromAlias: string | undefined;
}

/** The fields of one request and how they become it. */
export interface Shape<F extends Fields = Fields> {
  readonly fields: F;
  readonly request: (values: Values<F>, hotline: Hotline) => Request;
  /** Where one request is not enough. */
  readonly run?: (run: Run) => Promise<JobResult>;
}

/** A node that asks the service for one thing, in data. */
export interface Action {
  readonly kind: "action";
  /** Node type, file name and key of its texts in the catalogues. */
  readonly type: string;
  readonly repeat: Repeat;
  /** The node's property that chooses among the modes; `mode` when not given. */
  readonly modeProperty?: string;
  /** One shape for each value of that property; a node without modes has one, named `""`. The first is the default. */
  readonly modes: Readonly<Record<string, Shape>>;
}

/** Keeps a shape's fields and its function in step: a field misspelt in the function does not compile. */
export function shape<F extends Fields>(fields: F, request: Shape<F>["request"]): Shape {
  return { fields, request } as unknown as Shape;
}

export function post(path: string, body: Body): Request {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) if (value !== undefined) given[name] = value;
  return { method: "POST", path, body: given };
}

/** @param asked what messages and errors tell of the request, where that is not its query */
export function read(path: string, query: Query, asked?: RequestSummary): Request {
  return { method: "GET", path, query, ...(asked && { asked }) };
}

export function remove(path: string, asked: RequestSummary): Request {
  return { method: "DELETE", path, asked };
}

/** The actions that are registered, by type, for dialogs that show their requests. */
export const actions = new Map<string, Action>();

/** Declares a palette entry that asks the service for something. */
export function action(declaration: Omit<Action, "kind">): Action {
  return { kind: "action", ...declaration };
}
