import { performance } from "node:perf_hooks";
import { DeduplicationKeys } from "./deduplication-keys";
import type { Acceptance, Entry, Key, Outcome } from "./entry";
import { ACCEPTED, type Leave, type Store } from "./store";

/** Keeps the deduplication keys and nothing else: waiting entries end with the process. */
export class MemoryStore implements Store {
  readonly engine = "memory";
  readonly isDurable = false;
  readonly leadMs = 0;
  readonly #keys = new DeduplicationKeys();

  now(): number {
    return Date.now();
  }

  start(): void {}

  accept(entry: Entry, _room?: unknown, earlier?: Entry): Acceptance {
    const accepted: Acceptance = earlier ? { kind: "accepted", replaced: earlier.id } : ACCEPTED;
    if (!entry.keys) return accepted;
    const taken = this.#keys.takeAll(entry, performance.now(), earlier);
    return "kind" in taken ? taken : accepted;
  }

  takeDue(entry: Entry, keys: readonly Key[]): Acceptance {
    const uses = this.#keys.takeMore(entry, keys, performance.now());
    return "kind" in uses ? uses : ACCEPTED;
  }

  begin(): Leave {
    return "begun";
  }

  requeue(): void {}

  settle(entry: Entry, outcome: Outcome): void {
    this.#keys.settleAll(entry, outcome, performance.now());
  }

  forget(): void {}

  takeKey(key: Key): Acceptance {
    const use = this.#keys.take(key, performance.now());
    return "kind" in use ? use : ACCEPTED;
  }

  settleKey({ hash }: Key, outcome: Outcome): void {
    this.#keys.settle(hash, outcome, performance.now());
  }

  tryKey(key: Key): Acceptance {
    return this.#keys.refusal(key, performance.now()) ?? ACCEPTED;
  }

  setRecord(): Promise<boolean> {
    return Promise.resolve(true);
  }

  setState(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }
}
