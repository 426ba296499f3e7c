import { globSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

const LOOK_MS = 100;

/**
 * The append-only file of a Redis as it was a while ago: what a power cut may leave of it with `appendfsync everysec`, for
 * machines that cannot mount a disk of their own.
 */
export class LateFile {
  readonly #folder: string;
  readonly #lateMs: number;
  /** Lengths of the file, oldest first. */
  #lengths: { readonly at: number; readonly length: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string, lateMs: number) {
    this.#folder = folder;
    this.#lateMs = lateMs;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Takes back what was written since, once Redis has ended. */
  forget(): void {
    const earlier = this.#lengths[0];
    if (earlier) truncateSync(this.#file, earlier.length);
    this.#lengths = [];
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    this.#lengths.push({ at: now, length: statSync(this.#file).size });
    while ((this.#lengths[1]?.at ?? now) < now - this.#lateMs) this.#lengths.shift();
  }

  get #file(): string {
    const [file] = globSync(join(this.#folder, "appendonlydir", "*.incr.aof"));
    if (file === undefined) throw new Error(`${this.#folder} has no append-only file`);
    return file;
  }
}
