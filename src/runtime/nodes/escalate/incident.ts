import { createHash } from "node:crypto";
import { hashOf, type Key } from "../../../backlog";
import { type JobResult, type Mode, NO_TIMINGS, type Request, type TenantClient, tryKey } from "../../../client";
import { accepted } from "../../delivery/http-answer";
import type { Pending } from "../../delivery/pending";
import { recordNameOf } from "../../delivery/restore-registry";
import type { Progress, Resolution } from "./progress";

/** An escalation as a record of the backlog holds it. */
export interface Incident {
  readonly nodeId: string;
  readonly key: string;
  readonly mode: Mode;
  /** The first message, without what is no JSON. */
  readonly kept: { readonly message: Record<string, unknown>; readonly left: readonly string[] };
  /** One for each person. */
  readonly requests: readonly Request[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly progress: Progress;
}

/** A flow file may name a node anything. */
const LONGEST_ID = 100;

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

/** Finds out until when an acknowledged incident is quiet, ISO 8601. Rejects if the store fails. */
export async function quietUntil(client: TenantClient, name: string, forMs: number) {
  const taken = forMs > 0 ? await tryKey(client, quietKey(name, forMs)) : undefined;
  if (taken && taken.code !== "ERR_DUPLICATE") throw taken;
  return taken && { quietUntil: iso(Date.parse(taken.details.first?.at ?? "") + forMs) };
}

/**
 * Removes a record that was created after somebody had acknowledged the incident at another process, which is quiet before its own
 * record is gone. Resolves to whether it was so. If that is not known, people are called.
 */
export async function removeIfQuiet(client: TenantClient, name: string, forMs: number): Promise<boolean> {
  if (!(await quietUntil(client, name, forMs).catch(() => undefined))) return false;
  await client.ask(({ records }) => records.remove(name));
  return true;
}

/**
 * Ends an incident that does not run here but perhaps at another Node-RED, or its quiet time. Resolves to what a webhook answers.
 * Rejects if the store fails.
 */
export async function resolveElsewhere(client: TenantClient, name: string, resolution: Resolution, quietForMs: number) {
  if (await client.ask(({ records }) => records.note(name, resolution))) return { changed: true };
  const quiet = await quietUntil(client, name, quietForMs);
  if (resolution.type !== "over") return { changed: false, ...quiet };
  await client.ask(({ keys }) => keys.keep(quietKey(name, 0)));
  return { changed: quiet !== undefined };
}

/** A further message of an incident, which goes on with it if it is held back. Rejects if the store fails. */
export async function comeAgain(client: TenantClient, name: string, { answer }: Pending): Promise<void> {
  const changed = await client.ask(({ records }) => records.again(name));
  answer?.tell(accepted({ changed }));
}

/** The result of a message that is sent to no output. */
export function changesNothing(): JobResult {
  return { ok: true, status: 200, envelope: null, data: null, summary: {}, timings: NO_TIMINGS, sentOn: true };
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
