import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Chance as a parameter. The only place that asks the machine for randomness. */
export interface Ids {
  /** A UUIDv7: unique, and in one process sorted in the order in which they were made. */
  next(): string;
  /** Random bytes for a token, a key or a nonce. */
  secret(sizeBytes: number): Buffer;
}

const CHANCE_DIGITS = 20;
const DRAW_BATCH_SIZE = 256;
const MAX_COUNT = 0x1000;

export function createIds(clock: Pick<Clock, "now">): Ids {
  // One call for random bytes costs more than all the rest of an id, and every request gets one: draw in advance.
  let drawn = "";
  const chance = (): string => {
    if (drawn === "") drawn = randomBytes((CHANCE_DIGITS / 2) * DRAW_BATCH_SIZE).toString("hex");
    const digits = drawn.slice(-CHANCE_DIGITS);
    drawn = drawn.slice(0, -CHANCE_DIGITS);
    return digits;
  };
  // RFC 9562, section 6.2: within a millisecond the first random digits count on, from somewhere in their lower half.
  let lastMs = 0;
  let count = 0;
  function next(): string {
    const nowMs = clock.now().getTime();
    const digits = chance();
    if (nowMs > lastMs) [lastMs, count] = [nowMs, Number.parseInt(digits.slice(1, 4), 16) % (MAX_COUNT / 2)];
    else if (++count >= MAX_COUNT) [lastMs, count] = [lastMs + 1, 0];
    return buildUuidv7(lastMs, `${digits.charAt(0)}${count.toString(16).padStart(3, "0")}${digits.slice(4)}`);
  }

  return {
    next,
    secret: (sizeBytes) => randomBytes(sizeBytes),
  };
}

/** RFC 9562, section 5.7: 48 bits of milliseconds, version 7, variant 10; the rest are 20 random hex digits less 6 bits. */
export function buildUuidv7(epochMs: number, chance: string): string {
  const time = epochMs.toString(16).padStart(12, "0");
  const variant = "89ab"[Number.parseInt(chance.charAt(4), 16) % 4];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(1, 4)}-${variant}${chance.slice(5, 8)}-${chance.slice(8)}`;
}
