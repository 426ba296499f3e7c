export type {
  Acceptance,
  Backlog,
  Counts,
  Cut,
  End,
  Entry,
  Handlers,
  Key,
  Limits,
  Outcome,
  Records,
  Run,
} from "./backlog";
export { hashOf } from "./deduplication-keys";
export { LocalBacklog } from "./local/local-backlog";
export { memory } from "./local/store";
