import type { Rules, Values } from "../../json/rules";
import type { CallStore } from "./calls";
import type { Answer } from "./envelope";
import type { ScheduleStore } from "./schedules";

export interface ServiceState {
  readonly calls: CallStore;
  readonly schedules: ScheduleStore;
}

/** The part of its request that an operation needs beside the fields. */
export interface OperationRequest {
  /** The `:id` of the path; empty where the path has none. */
  readonly id: string;
  /** Query parameters that have a value. */
  readonly query: URLSearchParams;
  /** Scheme, host, port and path of the request, for addresses in answers. */
  readonly address: string;
}

/** The styles of requests that the sandbox reads: the interface leaves room for several, so tenants may differ. */
export interface Styles {
  /** `dotted`: `{"to.number": …}`. `nested`: `{"to": {"number": …}}`, as a validator that takes the dots as a path. */
  readonly parties: "either" | "dotted" | "nested";
  /** `words`: `true` and `false`. `digits`: `1` and `0`. */
  readonly booleans: "either" | "words" | "digits";
}

export interface Operation<R extends Rules = Rules> {
  readonly method: "GET" | "POST" | "DELETE";
  /** May end in `:id`, which stands for a whole number. */
  readonly path: string;
  /** Fields of the body for a POST, of the query otherwise. A request that breaks a rule is refused. */
  readonly fields: R | ((styles: Styles) => R);
  run(values: Values<R>, request: OperationRequest, state: ServiceState): Answer;
}

/** Lets the compiler derive the types of an operation's values from its fields. */
export function operation<R extends Rules>(row: Operation<R>): Operation {
  return row;
}
