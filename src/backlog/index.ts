export { Backlog } from "./backlog";
export type { Call, Stage, Watcher } from "./call";
export { asUnknown } from "./decisions";
export { hashOf, MAX_KEYS } from "./deduplication-keys";
export type { Handlers } from "./ends";
export { type Acceptance, Content, type Cut, type Entry, type Key, type Outcome, type Settlement } from "./entry";
export { Heap } from "./heap";
export { MemoryStore } from "./memory";
export { LONGEST_TIMER_MS } from "./queue";
export {
  type Exempt,
  type Hold,
  type HoldReason,
  type Holds,
  holdsIn,
  type Reason,
  SHOWN_AS,
  type ShownReason,
  type Until,
  untilOf,
} from "./reasons";
export { AGAIN, type RestoredHandlers } from "./records";
export {
  AGAIN_MS,
  type Cancelled,
  type Counts,
  type Decision,
  type Limits,
  type WaitingEntry,
  type Which,
} from "./store";
export { LONGEST_PAUSE_MS, type ProbeAnswer, pauseOf, type TroubleEvent } from "./trouble/machine";
export type { Patience } from "./trouble/trials";
