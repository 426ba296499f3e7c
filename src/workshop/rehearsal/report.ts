/** What became of a rehearsal, as `docs/contract/command.md` shows it. Instants are ISO 8601 with the offset of the tenant's zone. */
export interface Report {
  readonly from: string;
  readonly until: string;
  readonly seed: number;
  /** The version of Node-RED that ran. */
  readonly nodeRed: string;
  readonly calls: readonly RehearsedCall[];
  /** Messages that ended without a call, and those that still wait at `until`. */
  readonly notPlaced: readonly NotPlaced[];
  readonly inputs: readonly ReportedInput[];
  /** What the flow would have done outside. */
  readonly outside: readonly OutsideEffect[];
  /** Errors that no Catch node took. */
  readonly errors: readonly UncaughtError[];
  readonly figures: Figures;
  /** Why it ended before `until`, in a sentence. */
  readonly brokenOff: string | null;
}

/** When something happened, and at which node. */
interface AtNode {
  readonly at: string;
  readonly nodeId: string;
  /** Its name. */
  readonly node: string;
}

/** A call-out that reached the sandbox. */
export interface RehearsedCall extends AtNode {
  readonly number: string;
  readonly tenant: string;
  readonly says: readonly string[];
  readonly answerUrl: string | null;
  readonly phone: "answered" | "declined" | "unanswered" | null;
  readonly outcome: "applied" | "rejected" | "unknown";
}

export interface NotPlaced extends AtNode {
  readonly number: string;
  /** `null` for what still waits at the end: `reason` is what it waits for. */
  readonly code: string | null;
  readonly reason: string;
}

export interface ReportedInput {
  readonly at: string;
  readonly kind: "post" | "get" | "inject" | "node";
  readonly target: string;
  /** Of the response to a request; else `null`. */
  readonly status: number | null;
  readonly body: unknown;
}

export interface OutsideEffect extends AtNode {
  readonly type: string;
  /** Whether the world gave the answer. */
  readonly answered: boolean;
}

export interface UncaughtError extends AtNode {
  readonly code: string | null;
  readonly message: string;
}

export interface Figures {
  readonly calls: number;
  readonly notPlaced: number;
  readonly busiestMinute: { readonly at: string; readonly calls: number } | null;
  readonly speechSeconds: number;
  readonly calledTwice: readonly { readonly number: string; readonly calls: number }[];
}
