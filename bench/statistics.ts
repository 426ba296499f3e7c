/** The middle one of a few measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = low] =
    sorted.length % 2 === 1 ? [sorted[middle]] : sorted.slice(middle - 1, middle + 1);
  return (low + high) / 2;
}

/** The value that a share of all, e.g. 0.99, does not exceed. `sorted` is ascending. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
