import type { EventOf } from "../events";

/** Events of a kind that a report has of each node. */
const MOST_OF_NODE = 1000;

/** The events that nodes repeat: each is reported some times, then only counted. */
export class Repetitions {
  readonly #seen = new Map<string, number>();
  readonly #further = new Map<string, EventOf<"more">>();

  /** Whether there are enough events of this kind and node. */
  isCounted({ kind, nodeId, at }: EventOf<"error"> | EventOf<"outside">): boolean {
    const key = `${kind} ${nodeId}`;
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    if (count <= MOST_OF_NODE) return false;
    const times = (this.#further.get(key)?.times ?? 0) + 1;
    this.#further.set(key, { kind: "more", nodeId, of: kind === "error" ? "errors" : kind, times, last: at });
    return true;
  }

  /** The counts since the last time that they were taken. */
  take(): readonly EventOf<"more">[] {
    const further = [...this.#further.values()];
    this.#further.clear();
    return further;
  }
}
