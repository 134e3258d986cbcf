import { createHash, timingSafeEqual } from "node:crypto";
import type { Ids } from "@kit/clock/ids";

const CODE_DIGITS = 6;
const CODES = 10 ** CODE_DIGITS;
/** The largest multiple of the number of codes that four bytes can count to: beyond it some codes would be likelier. */
const FAIR_LIMIT = Math.floor(2 ** 32 / CODES) * CODES;

/** Six random digits, each code as likely as any other. */
export function createPairingCode(ids: Pick<Ids, "secret">): string {
  for (;;) {
    const drawn = ids.secret(4).readUInt32BE();
    if (drawn < FAIR_LIMIT) return String(drawn % CODES).padStart(CODE_DIGITS, "0");
  }
}

/** Takes the same time for every wrong code: it compares digests, not texts. */
export function isSameCode(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
