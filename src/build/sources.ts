import { readFileSync } from "node:fs";

/** Something in the sources that cannot be built. The message is for the author of the source. */
export class BuildError extends Error {}

/** Adds the file to the message of a BuildError. */
export function inFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BuildError ? new BuildError(`${file}: ${error.message}`) : error;
  }
}

/** @throws BuildError when the file is missing */
export function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new BuildError(`The file is missing: ${file}`);
  }
}
