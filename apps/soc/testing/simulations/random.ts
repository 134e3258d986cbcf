/** Pseudo-random numbers that are the same for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    /** From `least` to `most`, both inclusive. */
    between: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    isOneIn: (times: number) => next() * times < 1,
  };
}
export type Random = ReturnType<typeof createRandom>;
