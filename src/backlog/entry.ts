/** The outcome of a request: `unknown` means that it may have been applied, and must not be repeated blindly. */
export type Outcome = "applied" | "rejected" | "not-applied" | "unknown";

/** A deduplication key, as a hash: what a flow takes for a key may be long, and may be personal. */
export interface Key {
  readonly hash: string;
  /** Milliseconds for which the key stays taken after its use. */
  readonly forMs: number;
  /** The number of uses that may hold the key at once. Default: 1. */
  readonly uses?: number;
}

/** A request, and what is needed to deliver its result. Opaque to the backlog: a store writes its JSON text down. */
export class Content {
  /**
   * @param head plain data that shares nothing with a message
   * @param kept JSON text of what its sender keeps, where the backlog is durable
   * @param body JSON text of the request
   */
  constructor(
    readonly head: object,
    readonly kept: string | undefined,
    readonly body: string,
  ) {}

  toString(): string {
    const kept = this.kept === undefined ? "" : `,"kept":${this.kept}`;
    return `${JSON.stringify(this.head).slice(0, -1)}${kept},"body":${this.body}}`;
  }

  /** Writes it into JSON as a text. */
  toJSON(): string {
    return this.toString();
  }
}

/** The facts about an entry whose outcome is unknown, until somebody decides what became of it. */
export interface Unknown {
  /** The time at which it ended, epoch milliseconds on the store's clock. */
  readonly at: number;
  /** The time at which its last attempt may have left, ISO 8601, and the code of its error; absent if its process ended meanwhile. */
  readonly sentAt?: string | undefined;
  readonly code?: string | undefined;
  /** Whether it was in a Redis that had forgotten something: somebody may have decided. */
  readonly isDoubted?: boolean;
  /** The uses of keys that it has, by when they were taken, epoch milliseconds. */
  readonly uses?: readonly { readonly hash: string; readonly at: number }[];
}

/** A call-out in a backlog: plain data, so that a later process can perform it. */
export interface Entry {
  /** Unlike any other, of any process. A message's own id would not do, because copies of a message share it. */
  readonly id: string;
  readonly nodeId: string;
  /** A node of another type with that id is not its own. */
  readonly nodeType?: string;
  /**
   * All are taken with its acceptance, or none. The first one of a row of a list in a shared store is its place in the list, which stays
   * taken whatever somebody decides about the row.
   */
  readonly keys?: readonly Key[] | undefined;
  /** A hash of its deduplication key that is the same in every scope: it is cancelled by this. */
  readonly name?: string | undefined;
  /** Whether it takes the place of the entry that waits with one of its keys, if there is one. */
  readonly replaces?: true;
  /** Does not begin before this instant, epoch milliseconds on the store's clock, and joins the queue only then. */
  readonly notBefore?: number | undefined;
  /** The time at which a shared store accepted it and took its keys, epoch milliseconds. */
  readonly at?: number;
  /** Whether its date has come, and the keys of its date are taken. */
  readonly isDue?: true;
  /** Waits until somebody resumes; `late`: because its turn had come before or during a longer stop. */
  readonly heldBack?: true | "late" | undefined;
  /** Whether it is a call of a record that was restored: it waits, and is held back, as what was accepted before the start. */
  readonly ofRestored?: true;
  /** Whether it begins even while starts are closed: calling hours do not hold it. */
  readonly anytime?: true;
  /** Whether it begins before all that is not urgent, also in a pause. */
  readonly urgent?: true;
  /**
   * Whether it is a call of an alarm: there is always room for it, and nobody drops it with the others, or counts it by its number. It
   * waits for the end of any trouble.
   */
  readonly alarm?: true;
  /** The id of the list of which it is a row: lists take turns behind all other entries. It waits for the end of any trouble. */
  readonly list?: string;
  /** Takes the place of the entry with this id, whose outcome was unknown. */
  readonly again?: string;
  /** It has ended, and is kept until somebody decides what became of it. */
  readonly unknown?: Unknown | undefined;
  /** The entry does not start after this instant, epoch milliseconds on the store's clock. */
  readonly notAfter?: number;
  /** Bytes that the entry occupies while it waits. */
  readonly size: number;
  /** As its JSON text if it was read from a store; `null` if the sender has it. */
  readonly content: Content | string | null;
}

/** The first use of a key, as ERR_DUPLICATE reports it. */
export interface FirstUse {
  /** ISO 8601. */
  readonly at: string;
  readonly outcome: Outcome | "pending";
}

/** The answer to an entry: accepted or not. If not, nothing of it is kept. */
export type Acceptance =
  /** `replaced`: the id of the entry whose place it has taken, which has ended. `inherited`: another instance has restored it since. */
  | { readonly kind: "accepted"; readonly replaced?: string; readonly inherited?: true }
  /** `decided`: the entry whose place it was to take is not to be decided any more. */
  | { readonly kind: "full" | "keysFull" | "decided" }
  | { readonly kind: "duplicate"; readonly first: FirstUse }
  /** All uses of a key that has several are taken: when one of them expires, milliseconds from now. */
  | { readonly kind: "usedUp"; readonly retryAfterMs: number }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * The reason why an entry ended without a result: its run was cut off by the end of the process (`lost`), or it never began, because
 * it was dropped or cancelled, another one took its place, its time had passed, the service has failed for too long (`trouble`), its
 * target was given up, or a key of which it takes a use at its date was used up.
 */
export type Cut = "lost" | "dropped" | "cancelled" | "replaced" | "expired" | "trouble" | "givenUp" | "usedUp";

/** The end of an entry that nobody has settled. */
export type Settlement =
  /** `retryAfterMs`: when a use of the key is free again, if that is why. */
  | { readonly cut: Cut; readonly retryAfterMs?: number }
  /** The outcome is known, but the process ended while the result was delivered. */
  | { readonly unreported: Outcome }
  /** Another process has restored the entry, and reports how it ends. */
  | { readonly inherited: true };
