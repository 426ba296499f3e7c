export function atOnce<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Shares work among several: each carries out the steps that are left, and gets the result. */
export function sharedSteps<Result>(work: Generator<undefined, Result>): () => Generator<undefined, Result> {
  let result: { readonly value: Result } | undefined;
  return function* () {
    while (!result) {
      const { done, value } = work.next();
      if (done) result = { value };
      else yield;
    }
    return result.value;
  };
}
