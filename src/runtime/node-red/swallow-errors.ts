/**
 * Calls Node-RED where an exception would end the process: in a timer, in an event listener, after a promise. Listeners of
 * a status and handlers of the log belong to others, and may throw.
 */
export function swallowErrors(act: () => unknown): void {
  try {
    act();
  } catch {
    // The thrower would not have learned of it anyway, and a log line would reach the same handlers.
  }
}
