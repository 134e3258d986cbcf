const MAX_HASHES = 2 ** 16;
const HASH_BYTES = 4;
const ALL_HASHES = 2 ** 32;
const CRC_32C = 0x82f63b78;

/**
 * Merges the states of the engine's function `uniq`, encoded as `hex(uniqState(…))`, and returns the engine's result
 * for all of them. The counts of several stores cannot be added, because they share values. ClickHouse stores this
 * format in tables and therefore cannot change it (src/AggregateFunctions/UniquesHashSet.h): the number of halvings,
 * the number of hashes, and the hashes of 32 bits, of which after n halvings only multiples of 2^n are kept.
 */
export function mergeUniqStates(states: readonly string[]): number {
  const parsed = states.map(parseState);
  let halvings = parsed.reduce((most, state) => Math.max(most, state.halvings), 0);
  const hashes = new Set<number>();
  for (const state of parsed) {
    for (const hash of state.hashes) if (isKept(hash, halvings)) hashes.add(hash);
    while (hashes.size > MAX_HASHES) halvings = halve(hashes, halvings);
  }
  return estimate(hashes.size, halvings);
}

function isKept(hash: number, halvings: number): boolean {
  return hash % 2 ** halvings === 0;
}

function halve(hashes: Set<number>, halvings: number): number {
  for (const hash of hashes) if (!isKept(hash, halvings + 1)) hashes.delete(hash);
  return halvings + 1;
}

interface UniqState {
  halvings: number;
  hashes: Uint32Array;
}

function parseState(hex: string): UniqState {
  const bytes = Buffer.from(hex, "hex");
  // The number of hashes has a variable length: the highest bit is set in all of its bytes but the last.
  let start = 1;
  while ((bytes[start] ?? 0) >= 0x80) start += 1;
  start += 1;
  const hashes = new Uint32Array((bytes.length - start) / HASH_BYTES);
  for (let place = 0; place < hashes.length; place += 1) hashes[place] = bytes.readUInt32LE(start + place * HASH_BYTES);
  return { halvings: bytes[0] ?? 0, hashes };
}

function estimate(kept: number, halvings: number): number {
  if (halvings === 0) return kept;
  // The engine adds a remainder, so that the result does not look like a multiple of a power of two.
  const values = kept * 2 ** halvings + (hashNumber(kept) & (2 ** halvings - 1));
  // Some values have the same hash.
  return Math.round(ALL_HASHES * (Math.log(ALL_HASHES) - Math.log(ALL_HASHES - values)));
}

/**
 * CRC-32C of the number as 8 bytes, as the processor instruction computes it: without the usual inversion at the end.
 */
function hashNumber(value: number): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ CRC_32C : crc >>> 1;
  }
  return crc >>> 0;
}
