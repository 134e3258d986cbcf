import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Chance as a parameter. The only place that asks the machine for randomness. */
export interface Ids {
  /** A UUIDv7: unique, and sorted by the time it was made. */
  next(): string;
  /** Random bytes for a token, a key or a nonce. */
  secret(sizeBytes: number): Buffer;
}

const CHANCE_BYTES = 10;
const DRAWN_AT_ONCE = 256;

export function createIds(clock: Pick<Clock, "now">): Ids {
  // One call for random bytes costs as much as all the rest of a request id, so they are drawn in advance.
  let drawn = Buffer.alloc(0);
  let used = 0;
  const chance = (): Buffer => {
    if (used === drawn.length) {
      drawn = randomBytes(CHANCE_BYTES * DRAWN_AT_ONCE);
      used = 0;
    }
    used += CHANCE_BYTES;
    return drawn.subarray(used - CHANCE_BYTES, used);
  };
  return {
    next: () => uuidv7Of(clock.now().getTime(), chance()),
    secret: (sizeBytes) => randomBytes(sizeBytes),
  };
}

/** RFC 9562, section 5.7: 48 bits of milliseconds, version 7, variant 10, 74 bits of chance. */
export function uuidv7Of(epochMs: number, chance: Buffer): string {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(epochMs, 0, 6);
  chance.copy(bytes, 6, 0, CHANCE_BYTES);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
