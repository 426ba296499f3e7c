import { performance } from "node:perf_hooks";
import { DeduplicationKeys } from "./deduplication-keys";
import type { Acceptance, Entry, Key, Outcome } from "./entry";
import { ACCEPTED, type Leave, type RequestKeys, type Room, type Store } from "./store";

/** Keeps the deduplication keys and nothing else: waiting entries end with the process. */
export class MemoryStore implements Store {
  readonly isDurable = false;
  readonly #keys = new DeduplicationKeys();
  readonly keys: RequestKeys = {
    take: async (key) => {
      const use = this.#keys.take(key, performance.now());
      return "kind" in use ? use : ACCEPTED;
    },
    settle: ({ hash }, outcome) => void this.#keys.settle(hash, outcome, performance.now()),
    try: async (key) => this.#keys.refusal(key, performance.now()) ?? ACCEPTED,
    free: async () => this.#keys.free(performance.now()),
    keep: async (key) => this.#keys.keep(key, performance.now()),
  };

  start(): void {}

  async accept(entry: Entry, _room?: Room, earlier?: Entry): Promise<Acceptance> {
    const taken = this.#keys.takeAll(entry, entry.keys, performance.now(), earlier);
    if ("kind" in taken) return taken;
    return earlier ? { kind: "accepted", replaced: earlier.id } : ACCEPTED;
  }

  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const taken = this.#keys.takeAll(entry, keys, performance.now());
    return "kind" in taken ? taken : ACCEPTED;
  }

  async begin(): Promise<Leave> {
    return "begun";
  }

  async requeue(): Promise<void> {}

  async settle(entry: Entry, outcome: Outcome): Promise<undefined> {
    this.#keys.settleAll(entry, outcome, performance.now());
  }

  forget(): void {}

  async record(): Promise<boolean> {
    return true;
  }

  hold(): void {}

  async close(): Promise<void> {}
}
