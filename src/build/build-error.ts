/** Something in the sources that cannot be built; the sentence is for whoever wrote it. */
export class BuildError extends Error {}
