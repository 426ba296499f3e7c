import { performance } from "node:perf_hooks";
import { DeduplicationKeys } from "./deduplication-keys";
import type { Acceptance, Entry, Key, Outcome } from "./entry";
import type { Leave, Store } from "./store";

const ACCEPTED: Acceptance = { kind: "accepted" };

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

  accept(entry: Entry): Acceptance {
    if (!entry.keys) return ACCEPTED;
    const uses = this.#keys.takeAll(entry, performance.now());
    return "kind" in uses ? uses : ACCEPTED;
  }

  begin(): Leave {
    return "begun";
  }

  requeue(): void {}

  settle(entry: Entry, outcome: Outcome): void {
    if (entry.keys) this.#keys.settleAll(entry, outcome, performance.now());
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
