import { createHash } from "node:crypto";
import type { Mode, Outcome, Request } from "../../../tenant";
import type { KeptMessage } from "../../delivery/kept-message";
import type { Progress, Rung } from "./escalation-plan";

/** What a record of the backlog holds of a ladder. */
export interface Incident {
  readonly nodeId: string;
  readonly key: string;
  readonly mode: Mode;
  /** The first message, without what is no JSON. */
  readonly kept: Pick<KeptMessage, "message" | "left">;
  /** One for each person. */
  readonly requests: readonly Request[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly progress: Progress;
}

/** What becomes of an incident in a message. */
export interface Report {
  readonly key: string;
  readonly acknowledgedBy: string | true | null;
  readonly rung: readonly (Omit<Rung, "id" | "at" | "outcome"> & {
    readonly at: string;
    readonly outcome: Outcome | "pending";
  })[];
  readonly startedAt: string;
  readonly endedAt: string;
}

const PREFIX = "escalate ";
/** A flow file may name a node anything. */
const LONGEST_ID = 100;

/** The name of an incident's record. */
export function recordName(nodeId: string, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([nodeId, key]))
    .digest("base64url");
  return `${PREFIX}${nodeId.slice(0, LONGEST_ID)} ${hash}`;
}

/** @param now epoch milliseconds */
export function report(key: string, startedAt: number, { rung, acknowledgedBy }: Progress, now: number): Report {
  return {
    key,
    acknowledgedBy,
    rung: rung.map(({ number, name, at, outcome, round }) => ({ number, name, at: iso(at), outcome, round })),
    startedAt: iso(startedAt),
    endedAt: iso(now),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
