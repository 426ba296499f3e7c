import { createHash } from "node:crypto";
import { type Backlog, hashOf, type Key } from "../../../backlog";
import type { Mode, Request, TenantClient } from "../../../client";
import { recordNameOf } from "../../delivery/restore-registry";
import type { StoredMessage } from "../../delivery/stored-message";
import type { Progress, Resolution } from "./progress";

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

/** The deduplication key that is taken after an acknowledgement, for as long as the incident must not begin again. */
export function quietKey(name: string, forMs: number): Key {
  return { hash: hashOf(`quiet ${name}`), forMs };
}

/** Whether somebody has acknowledged the incident a short time ago. Rejects if the store fails. */
export async function isQuiet({ callOuts }: TenantClient, name: string, forMs: number): Promise<boolean> {
  const taken = forMs > 0 ? await callOuts.tryKey(quietKey(name, forMs)) : undefined;
  if (taken && taken.code !== "ERR_DUPLICATE") throw taken;
  return taken !== undefined;
}

/**
 * Removes a record that was created after somebody had acknowledged the incident at another process, which is quiet before its own
 * record is gone. Resolves to whether it was so. If that is not known, people are called.
 */
export async function removeIfQuiet(client: TenantClient, name: string, forMs: number): Promise<boolean> {
  if (!(await isQuiet(client, name, forMs).catch(() => false))) return false;
  await client.callOuts.ask(({ records }) => records.remove(name));
  return true;
}

/** Ends an incident that does not run here but perhaps at another Node-RED, or its quiet time. Rejects if the store fails. */
export async function resolveElsewhere(
  { records, keys }: Backlog,
  name: string,
  resolution: Resolution,
): Promise<void> {
  const isRunning = await records.note(name, resolution);
  if (!isRunning && resolution.type === "over") await keys.keep(quietKey(name, 0));
}

/**
 * The result of an incident, as its message carries it.
 * @param now epoch milliseconds
 */
export function report(key: string, startedAt: number, progress: Progress, now: number) {
  const { resolution } = progress;
  return {
    key,
    acknowledgedBy: resolution?.type === "acknowledged" ? resolution.by : null,
    ...(resolution?.type === "over" && { over: true }),
    rung: reportOf(progress),
    startedAt: iso(startedAt),
    endedAt: iso(now),
  };
}

/** The calls that were tried, in order. */
export function reportOf({ rung }: Progress) {
  return rung.map((attempt) => {
    const { id: _, ...call } = attempt;
    return { ...call, at: iso(call.at) };
  });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
