import { createHmac, timingSafeEqual } from "node:crypto";

/** RFC 6238 with the values that authenticator apps support: SHA-1, 30 seconds, 6 digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4: at least 128 bits, 160 recommended. */
export const SECRET_BYTES = 20;
/** RFC 6238, section 5.2: one step for network delay and clock differences. */
const WINDOW_STEPS = 1;
const ISSUER = "Manara SOC";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export const TOTP_CODE = /^\d{6}$/;

/** RFC 4226, section 5.3. */
export function computeCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0x0f;
  const binary = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(binary % 10 ** digits).padStart(digits, "0");
}

export function computeStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS);
}

/** Returns the step of a code that is valid now and later than the last accepted one; undefined for any other code. */
export function findStep(secret: Uint8Array, code: string, now: Date, lastStep: number | null): number | undefined {
  const current = computeStep(now);
  let found: number | undefined;
  for (let step = current - WINDOW_STEPS; step <= current + WINDOW_STEPS; step += 1) {
    const isSame = timingSafeEqual(Buffer.from(computeCode(secret, step)), Buffer.from(code));
    if (isSame && (lastStep === null || step > lastStep)) found = step;
  }
  return found;
}

/** RFC 4648, section 6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** The URI that an authenticator app reads from a QR code. */
export function formatUri(username: string, secret: Uint8Array): string {
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(username)}`;
  const issuer = encodeURIComponent(ISSUER);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}
