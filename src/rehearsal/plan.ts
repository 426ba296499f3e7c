import type { WorldFault } from "./world";

/** What the process of a rehearsal is to do, as a file. Instants are epoch milliseconds. */
export interface Plan {
  /** The folder of the package `node-red`. */
  readonly nodeRed: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly from: number;
  readonly until: number;
  readonly seed: number;
  /** Types of nodes that are not run. */
  readonly outside: readonly string[];
  /** Ids of nodes that no wire leads to: what comes in at such a node is what it sends. */
  readonly sources: readonly string[];
  /** Ids of tenants. */
  readonly tenants: readonly string[];
  /** Where call-outs have their number, by node id. */
  readonly numbers: Readonly<Record<string, { readonly value: unknown; readonly type: unknown }>>;
  /** By node id. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly inputs: readonly PlannedInput[];
  readonly faults: readonly PlannedFault[];
  readonly phones: Readonly<Record<string, unknown>>;
  readonly mix: Readonly<Record<string, number>>;
  /** By tenant id; absent: those of a new sandbox. */
  readonly schedules: Readonly<Record<string, readonly unknown[]>>;
  /** By the id of the tab. */
  readonly flow: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Ids of nodes whose messages are counted. */
  readonly watch: readonly string[];
  /** Of which the process may use this many MiB in all. */
  readonly memory: number;
}

export interface PlannedInput {
  readonly at: number;
  readonly kind: "post" | "inject" | "node";
  /** A path, or a node's id. */
  readonly target: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a request; or the message. */
  readonly body: unknown;
}

export type PlannedFault = Omit<WorldFault, "at" | "until"> & { readonly at: number; readonly until: number };

/** What the process reports, one line of JSON each. Instants are epoch milliseconds. */
export type Event =
  | { readonly kind: "started" }
  | { readonly kind: "at"; readonly at: number }
  | {
      readonly kind: "call";
      readonly at: number;
      /** Counts the requests in the order in which they were made; arrivals may cross. */
      readonly order: number;
      readonly tenant: string;
      readonly nodeId: string;
      readonly number: string;
      readonly says: readonly string[];
      readonly speechMs: number;
      readonly answerUrl: string | null;
      readonly outcome: "applied" | "rejected" | "unknown";
      readonly callId: string | null;
    }
  | { readonly kind: "phone"; readonly tenant: string; readonly callId: string; readonly phone: Answered }
  | {
      readonly kind: "notPlaced";
      readonly at: number;
      readonly nodeId: string;
      readonly number: string;
      readonly code: string | null;
      readonly reason: string;
    }
  | {
      readonly kind: "error";
      readonly at: number;
      readonly nodeId: string;
      readonly code: string | null;
      readonly message: string;
    }
  | {
      readonly kind: "outside";
      readonly at: number;
      readonly nodeId: string;
      readonly type: string;
      readonly answered: boolean;
    }
  | { readonly kind: "input"; readonly index: number; readonly status: number | null; readonly body: unknown }
  | { readonly kind: "kept in"; readonly what: string }
  | { readonly kind: "reached"; readonly nodeId: string }
  | { readonly kind: "broken"; readonly message: string }
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "end" };

export type Answered = "answered" | "declined" | "unanswered";
export type EventOf<Kind extends Event["kind"]> = Extract<Event, { readonly kind: Kind }>;
