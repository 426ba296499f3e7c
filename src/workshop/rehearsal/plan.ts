import type { RehearsedCall } from "./report";
import type { World, WorldFault } from "./world";

/** What the process of a rehearsal is to do, as a file. Instants are epoch milliseconds. */
export interface Plan extends Required<Pick<World, "phones" | "mix" | "flow">> {
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
  /** By tenant id; absent: those of a new sandbox. */
  readonly schedules: Readonly<Record<string, readonly unknown[]>>;
  /** Ids of nodes whose messages are counted. */
  readonly watch: readonly string[];
  /** Environment variables of the flows. */
  readonly env: Readonly<Record<string, string>>;
}

export interface PlannedInput {
  readonly at: number;
  readonly kind: "post" | "get" | "inject" | "node";
  /** A path as the world has it, or a node's id. */
  readonly target: string;
  /** The path, with values in place of `${NAME}`. */
  readonly path: string;
  readonly method: string;
  /** Their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a request, a text; or the message. */
  readonly body: unknown;
}

export type PlannedFault = Omit<WorldFault, "at" | "until"> & { readonly at: number; readonly until: number };

export type Answered = NonNullable<RehearsedCall["phone"]>;
