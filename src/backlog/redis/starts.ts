import type { Cut, Entry } from "../entry";
import { LEAD_MS, type Leave } from "../store";
import type { Group } from "./group";

/** Redis is asked again after this pause when it does not know an entry. Milliseconds. */
const AGAIN_MS = 100;

/** Answers to `begin` after which the lease has to be renewed. */
const UNSURE: ReadonlySet<string> = new Set(["forgotten", "absent", "recovering", "unknown"]);

/** What starts need of their store. */
interface StartsOwner {
  /** Resolves when Redis can be asked. */
  ready(): Promise<void>;
  ask(...call: Parameters<Group["ask"]>): Promise<unknown>;
}

/** Asks whether entries may begin: those of one moment together, and one request after the other, so that they begin in order. */
export class Starts {
  readonly #group: Group;
  readonly #owner: StartsOwner;
  #waiting: { readonly entry: Entry; readonly resolve: (leave: Leave) => void }[] = [];
  #asking: Promise<void> | undefined;
  /** Redis did not know this one when it was asked last. One that was just refused is not asked for again. */
  #unknown: string | undefined;

  constructor(group: Group, owner: StartsOwner) {
    this.#group = group;
    this.#owner = owner;
  }

  begin(entry: Entry): Promise<Leave> {
    return new Promise((resolve) => {
      this.#waiting.push({ entry, resolve });
      this.#ask();
    });
  }

  /** Resolves when nothing is being asked. */
  async end(): Promise<void> {
    await this.#asking;
  }

  #ask(): void {
    this.#asking ??= Promise.resolve()
      .then(() => this.#begin())
      .finally(() => {
        this.#asking = undefined;
        if (this.#waiting.length > 0) this.#ask();
      });
  }

  async #begin(): Promise<void> {
    await this.#owner.ready();
    const asked = this.#waiting.splice(0);
    const ids = asked.map(({ entry }) => entry.id);
    const answers = (await this.#owner.ask("begin", LEAD_MS, ...ids).catch(() => [])) as string[];
    let refusal: Leave | undefined;
    for (const [n, { resolve }] of asked.entries()) {
      refusal ??= this.#refusal(ids[n], answers[n]);
      resolve(refusal ?? leaveOf(answers[n] ?? ""));
    }
    // Those that came meanwhile are behind the one that was refused.
    if (refusal) for (const { resolve } of this.#waiting.splice(0)) resolve(refusal);
  }

  /** Why an entry and those after it may not begin, if so. */
  #refusal(id: string | undefined, answer: string | undefined): Leave | undefined {
    const [, wait] = /^wait (.*)$/.exec(answer ?? "") ?? [];
    if (wait !== undefined && Number(wait) >= 0) return { retryInMs: Number(wait) };
    // Without a lease, another instance may have restored it, and have begun it.
    const isGranted = wait === undefined && answer !== undefined && !UNSURE.has(answer) && this.#group.lease.isHeld;
    if (isGranted) return undefined;
    if (answer === "unknown" && id === this.#unknown) this.#group.writeAgain();
    this.#unknown = answer === "unknown" ? id : undefined;
    this.#group.renewIn(wait === undefined ? AGAIN_MS : 0);
    return { retryInMs: Number.POSITIVE_INFINITY };
  }
}

/** @param answer milliseconds until the start, or why it ended elsewhere */
function leaveOf(answer: string): Leave {
  const ms = Number(answer);
  if (Number.isNaN(ms)) return { gone: answer as Cut };
  return ms > 0 ? { startInMs: ms } : "begun";
}
