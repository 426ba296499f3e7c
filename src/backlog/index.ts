export { Backlog } from "./backlog";
export { hashOf } from "./deduplication-keys";
export type { Acceptance, Cut, Entry, Key, Outcome, Settlement } from "./entry";
export type { Counts, Handlers, Patience, RestoredHandlers, Run } from "./handlers";
export { Heap } from "./heap";
export { MemoryStore } from "./memory";
export { LONGEST_TIMER_MS } from "./queue";
export type { Cancelled, Limits, WaitingEntry, Which } from "./store";
export type { ProbeAnswer, TroubleEvent } from "./trouble/machine";
