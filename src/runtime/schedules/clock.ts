import type { Config } from "../../fields";

/** A clock was set, or runs at another speed. */
export interface ClockChange {
  /** What it showed, and what it shows now. Epoch milliseconds. */
  readonly before: number;
  readonly now: number;
}

/** The clock that business hours go by. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** How many seconds pass in a real one. */
  readonly speed: number;
  /** Calls back when the clock was set by hand. Returns a function that ends this. */
  follow(changed: (change: ClockChange) => void): () => void;
}

/** The host's. It is set without notice. */
export const realClock: Clock = {
  now: () => Date.now(),
  speed: 1,
  follow: () => () => {},
};

/** The longest time between two readings of a clock, which may be set. */
const LONGEST_SLEEP_MS = 60_000;
/** On a fast clock, days must not pass between two readings: missed edges that are older are not sent. */
const LONGEST_PASSED_MS = 12 * 3_600_000;

/** Real milliseconds until a clock shows an instant. */
export function waitFor(clock: Clock, instant: number): number {
  return Math.max(1, (instant - clock.now()) / clock.speed);
}

/** Real milliseconds after which a clock must be read again. */
export function longestSleep({ speed }: Clock): number {
  return Math.min(LONGEST_SLEEP_MS, LONGEST_PASSED_MS / speed);
}

/** The clock of a gate or a trigger. One with its own schedule reads nothing of a sandbox, and decides about real calls. */
export function clockOf({ source }: Config, tenant: { readonly clock?: Clock | undefined }): Clock {
  return (source !== "value" && tenant.clock) || realClock;
}
