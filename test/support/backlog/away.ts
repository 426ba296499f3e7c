import { type Store, sharedOf } from "../../../src/backlog/store";

/** The part of a store that several processes share, which one of a single process lacks. */
const SHARED = {
  lease: { isHeld: true, now: Date.now, steady: () => performance.now() },
  setLimits: () => {},
  countStart: () => {},
  changeTrouble: async (_known: string, next: string) => next,
};
const FAILED = { kind: "failed", reason: "away" };
const VERBS = { accept: FAILED, takeDue: FAILED, begin: { retryInMs: 1000 }, settle: new Error("away") };
const REJECTING = ["record", "changeTrouble", "note", "list", "dropOthers", "cancelOthers"];
/** More tries, without anything else in between, could not be ended by a test. */
const MOST_TRIES = 1000;

/** Lets each verb of a store fail at once, as it may, after so many changes of trouble. Counts these. */
export function losing(store: Store) {
  const away = { after: Infinity, changes: 0 };
  if (!sharedOf(store)) Object.assign(store, SHARED);
  const verbs = store as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of [...Object.keys(VERBS), ...REJECTING]) {
    const own = verbs[name]?.bind(store);
    verbs[name] = async (...args) => {
      const isAway = away.changes >= away.after;
      if (name === "changeTrouble") away.changes += 1;
      if (away.changes > MOST_TRIES) return new Promise(() => {});
      if (!isAway) return own?.(...args);
      return Object.hasOwn(VERBS, name) ? VERBS[name as keyof typeof VERBS] : Promise.reject(VERBS.settle);
    };
  }
  return away;
}
