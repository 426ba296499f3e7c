import { readFileSync } from "node:fs";

/** Something in the sources that cannot be built. The message is for the author of the source. */
export class BuildError extends Error {}

/** Does the work for each, and throws one BuildError with all that cannot be built: an author need not build once for each. */
export function forAll<T>(list: Iterable<T>, work: (one: T) => void): void {
  const problems: string[] = [];
  for (const one of list)
    try {
      work(one);
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      problems.push(error.message);
    }
  if (problems.length > 0) throw new BuildError(problems.join("\n"));
}

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
