import type { Acceptance, FirstUse } from "../entry";

/** Reads what a function that accepts has answered: a kind, and the first use of a key or when there is a use. */
export function acceptanceOf(answer: readonly unknown[]): Acceptance {
  const [kind, use] = answer as [string | undefined, string | undefined];
  if (kind === "duplicate") {
    const { at, outcome } = JSON.parse(use ?? "{}") as { at: number; outcome: FirstUse["outcome"] };
    return { kind, first: { at: new Date(at).toISOString(), outcome } };
  }
  if (kind === "usedUp") return { kind, retryAfterMs: Number(use) };
  if (kind === "full" || kind === "keysFull" || kind === "accepted") return { kind };
  return { kind: "failed", reason: kind ?? "no answer" };
}
