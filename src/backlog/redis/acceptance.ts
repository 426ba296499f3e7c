import type { Acceptance, FirstUse } from "../entry";

/** Reads what `accept` and `key` have answered: a kind, and the first use of a key or when there is a use. */
export function acceptanceOf(answer: readonly unknown[]): Acceptance {
  const [kind, use, replaced] = answer as (string | undefined)[];
  if (kind === "duplicate") {
    const { at, outcome } = JSON.parse(use ?? "{}") as { at: number; outcome: FirstUse["outcome"] };
    return { kind, first: { at: new Date(at).toISOString(), outcome } };
  }
  if (kind === "usedUp") return { kind, retryAfterMs: Number(use) };
  if (kind === "inherited") return { kind: "accepted", inherited: true };
  if (kind === "accepted") return { kind, ...(replaced && { replaced }) };
  if (kind === "full" || kind === "keysFull") return { kind };
  return { kind: "failed", reason: kind === "recovering" ? RECOVERING : (kind ?? "no answer") };
}

export const RECOVERING = "Redis has lost its latest changes, and they are being written again";
