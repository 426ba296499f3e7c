import { CHARACTERS_A_SECOND } from "../../speech";

/** A text that a call says, one after the other. */
export interface Spoken {
  readonly text: string;
  readonly voice?: string;
  readonly speed?: number;
  /** The number of times that it is said. */
  readonly times: number;
}

/** The interface's default. */
const DEFAULT_TIMES = 3;
const MOST_TIMES = 20;

/** The texts of a call-out's actions. Which actions talk, the interface does not list: each that has a text does here. */
export function spokenIn(actions: readonly Readonly<Record<string, unknown>>[] = []): Spoken[] {
  return actions.flatMap(({ text, voice, speed, loop }) => {
    if (typeof text !== "string" || text.trim() === "") return [];
    const times = loop === undefined ? DEFAULT_TIMES : Number(loop);
    return {
      text,
      ...(typeof voice === "string" && { voice }),
      ...(typeof speed === "number" && { speed }),
      times: Number.isInteger(times) && times >= 1 ? Math.min(times, MOST_TIMES) : 1,
    };
  });
}

/** Estimates the milliseconds that it takes to say all of it, so that a simulated call lasts about as long as a real one. */
export function durationOf(spoken: readonly Spoken[]): number {
  const characters = spoken.reduce((sum, { text, times }) => sum + text.length * times, 0);
  return Math.round((characters / CHARACTERS_A_SECOND) * 1000);
}
