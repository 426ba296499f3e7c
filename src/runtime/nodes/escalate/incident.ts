import { createHash } from "node:crypto";
import type { Mode, Request } from "../../../client";
import { recordNameOf } from "../../delivery/restore-registry";
import type { StoredMessage } from "../../delivery/stored-message";
import type { Progress } from "./progress";

/** An escalation as a record of the backlog holds it. */
export interface Incident {
  readonly nodeId: string;
  readonly key: string;
  readonly mode: Mode;
  /** The first message, without what is no JSON. */
  readonly kept: Pick<StoredMessage, "message" | "left">;
  /** One for each person. */
  readonly requests: readonly Request[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly progress: Progress;
}

/** A flow file may name a node anything. */
const LONGEST_ID = 100;

/** The name of an incident's record. */
export function recordName(type: string, nodeId: string, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([nodeId, key]))
    .digest("base64url");
  return recordNameOf(type, `${nodeId.slice(0, LONGEST_ID)} ${hash}`);
}

/**
 * The result of an incident, as its message carries it.
 * @param now epoch milliseconds
 */
export function report(key: string, startedAt: number, { rung, acknowledgedBy }: Progress, now: number) {
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
