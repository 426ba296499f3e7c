/** Now, as the service writes instants: ISO 8601 in UTC with microseconds and a trailing Z. */
export function timestamp(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
