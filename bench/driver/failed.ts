/** A benchmark in which something goes wrong measures nothing: the process ends, and says why. */
export function failed(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
