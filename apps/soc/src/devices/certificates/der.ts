// Implements the part of DER (X.690) that a revocation list needs. Parts are joined once, so that a long list takes
// linear time.

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

export function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

export const sequence = (...parts: readonly Uint8Array[]) => encode(SEQUENCE, ...parts);
export const octets = (bytes: Uint8Array) => encode(OCTET_STRING, bytes);
export const bits = (bytes: Uint8Array) => encode(BIT_STRING, Buffer.from([0]), bytes);

/** Encodes a non-negative integer from its hexadecimal digits. */
export function integer(hex: string): Buffer {
  const even = hex.padStart(hex.length + (hex.length % 2), "0").replace(/^(00)+(?=..)/, "");
  const bytes = Buffer.from(even, "hex");
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return encode(INTEGER, isNegative ? Buffer.from([0]) : Buffer.alloc(0), bytes);
}

/** Encodes an object identifier from its DER content. */
export const identifier = (hex: string) => encode(OBJECT_IDENTIFIER, Buffer.from(hex, "hex"));

/** RFC 5280, section 5.1.2.4: UTCTime through 2049, GeneralizedTime from 2050. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return at.getUTCFullYear() < 2050
    ? encode(UTC_TIME, Buffer.from(digits.slice(2)))
    : encode(GENERALIZED_TIME, Buffer.from(digits));
}
