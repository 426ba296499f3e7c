import type { Call } from "./call";

/** The reasons why a call waits. `clock`: what was left from before the start waits until the clock is known to be right. */
export const REASONS = ["held-back", "date", "clock", "pause", "hours", "trouble", "turn"] as const;
export type Reason = (typeof REASONS)[number];

/** The conditions that hold the calls of a backlog at an instant. */
export interface Hold {
  readonly paused: boolean;
  readonly isClockUnsure: boolean;
  /** Whether starts are open. */
  readonly isOpen: boolean;
  /** The calls that trouble of the service holds. */
  readonly inTrouble: "none" | "patient" | "all";
}

/**
 * The one list of reasons: the first that applies. A pause does not hold urgent calls, closed hours do not hold those that begin at
 * any time, and trouble may hold only those that wait for its end in any case. The begin of a call, `list`, a webhook's answer and
 * the tab read it; `begin.lua` decides the same for a group.
 */
export function whyWaits(call: Call, { paused, isClockUnsure, isOpen, inTrouble }: Hold): Reason {
  if (call.stage === "heldBack") return "held-back";
  if (call.date !== undefined) return "date";
  if (isClockUnsure && call.isLeft) return "clock";
  if (paused && call.priority > 0) return "pause";
  if (isOutsideHours(call, isOpen)) return "hours";
  const isHeld = inTrouble === "all" || (inTrouble === "patient" && call.isPatient);
  return isHeld || call.retryAt > -Infinity ? "trouble" : "turn";
}

/** Asked again right before the first byte: connecting takes a varying time. */
export function isOutsideHours({ entry: { anytime } }: Call, isOpen: boolean): boolean {
  return !(anytime ?? isOpen);
}
