/** Numbers the changes of what a sandbox remembers (`phone/changes.ts`). */
export interface ChangeCounter {
  next(): number;
}

/** For stores whose changes nobody follows. */
export const uncounted: ChangeCounter = { next: () => 0 };
