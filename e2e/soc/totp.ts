import { createHmac } from "node:crypto";
import { createClock } from "@kit/clock";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** RFC 4648, section 6. */
function decodeBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll(/[\s=]/g, ""), (letter) =>
    ALPHABET.indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** The six digits that an authenticator app shows for the secret now: RFC 6238 with SHA-1. */
export function showCode(secret: string): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(createClock().now().getTime() / STEP_MS)));
  const hash = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
