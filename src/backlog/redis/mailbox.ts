import type { Settlement as End, Entry, Outcome } from "../entry";
import { readEntry } from "./stored-entry";

const AT_ONCE = 200;

/** Where an instance gets the ends of what it has accepted, or inherited. */
export interface Mail {
  readonly entry: Entry;
  readonly end: End;
}

/** Fetches what was put into the mailbox of an instance, one batch after the other, each once. */
export class Mailbox {
  /** Number of the last batch. The next request says with it that the batch was told. */
  #batch = "0";
  #instance = "";

  /** @param isSafe false: another instance may have inherited the batch meanwhile, and tells it */
  async *fetch(
    instance: string,
    call: (name: string, ...args: (string | number)[]) => Promise<unknown>,
    isSafe: () => boolean,
  ): AsyncGenerator<Mail> {
    if (instance !== this.#instance) {
      this.#instance = instance;
      this.#batch = "0";
    }
    for (;;) {
      const answer = (await call("backlogMail", instance, this.#batch, AT_ONCE)) as string[];
      const [batch = this.#batch, ...items] = answer;
      if (instance !== this.#instance || !isSafe()) return;
      this.#batch = batch;
      for (const item of items) yield read(item);
      if (items.length === 0) return;
    }
  }
}

/** @param item lines: id and outcome, what to tell, head, content */
function read(item: string): Mail {
  const lines = item.split("\n");
  // It was being handed on when its instance ended.
  const wasHanded = lines[0] === "handing";
  const [about = "", told = "", ...value] = wasHanded ? lines.slice(1) : lines;
  const { id, outcome } = JSON.parse(about) as { id: string; outcome: Outcome };
  const entry = readEntry(id, value.join("\n"));
  return { entry, end: wasHanded ? { unreported: outcome } : (JSON.parse(told) as End) };
}
