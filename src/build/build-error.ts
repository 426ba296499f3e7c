/** Something in the sources that cannot be built; the sentence is for whoever wrote it. */
export class BuildError extends Error {}

/** Does the work on a file; what is wrong names it. */
export function about<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BuildError ? new BuildError(`${file}: ${error.message}.`) : error;
  }
}
