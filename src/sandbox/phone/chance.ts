import { hash } from "node:crypto";

/** Subjects whose draws are counted; bounds the memory. */
const MOST_SUBJECTS = 100_000;

/** Draws numbers that a seed decides: the same draws of a subject give the same numbers, in whatever order subjects come. */
export class Chance {
  readonly #draws = new Map<string, number>();

  /** Draws a number from 0 up to 1. */
  draw(seed: number, subject: string): number {
    const key = hash("sha256", subject, "buffer").toString("base64url", 0, 12);
    const count = this.#draws.get(key) ?? 0;
    if (this.#draws.size >= MOST_SUBJECTS) this.#draws.clear();
    this.#draws.set(key, count + 1);
    return hash("sha256", `${seed} ${key} ${count}`, "buffer").readUInt32BE() / 2 ** 32;
  }

  /** Begins anew: the next draws are the first ones. */
  restart(): void {
    this.#draws.clear();
  }
}
