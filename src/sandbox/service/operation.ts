import type { Answer } from "./envelope";
import type { SandboxState } from "./state";

/** A request that passed the token and, for a POST, is JSON. */
export interface OperationRequest {
  /** The `:id` of the path; empty where the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed JSON of a POST, whatever it is. */
  readonly body: unknown;
  /** Scheme, host, port and path the request came to, for addresses in answers. */
  readonly address: string;
}

export type Operation = (request: OperationRequest, state: SandboxState) => Answer;
