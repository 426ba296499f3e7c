/** A seed for a soak run, printed so that the run can be repeated: from FAULT_SEED, else a new one. */
export function announcedSeed(): number {
  const seed = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
  console.log(`      FAULT_SEED=${seed}`);
  return seed;
}

/** Generates numbers from 0 up to 1 by mulberry32, the same ones for the same seed. */
export function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
