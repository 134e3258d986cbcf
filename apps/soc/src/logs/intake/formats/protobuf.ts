/** One field of a Protocol Buffers message in wire format. */
export type WireField =
  | { number: number; kind: "varint"; value: bigint }
  | { number: number; kind: "fixed64"; value: bigint }
  | { number: number; kind: "bytes"; value: Buffer }
  | { number: number; kind: "fixed32"; value: number };

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const VARINT_BYTES = 10;
// The minimum size of a field: one byte of tag and one of value.
const FIELD_BYTES = 2;
const FIXED_BYTES: Readonly<Record<number, number>> = { [FIXED64]: 8, [FIXED32]: 4 };
// A field number has at most 29 bits.
const MAX_TAG = 2 ** 32 - 1;

/** Returns the fields in order; undefined if the bytes are not a message, or have more fields than `most`. */
export function wireFieldsIn(bytes: Buffer, most: number): WireField[] | undefined {
  // Counts first if there may be too many: allocating an object for each of them would block the event loop.
  if (bytes.length > most * FIELD_BYTES && !hasFewFields(bytes, most)) return undefined;
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const place = placeAt(bytes, at);
    const field = place && fieldAt(bytes, place);
    if (!place || !field) return undefined;
    fields.push(field);
    at = place.end;
  }
  return fields;
}

function hasFewFields(bytes: Buffer, most: number): boolean {
  let fields = 0;
  for (let at = 0; at < bytes.length; fields += 1) {
    const end = fields < most ? placeAt(bytes, at)?.end : undefined;
    if (end === undefined) return false;
    at = end;
  }
  return true;
}

interface FieldPlace {
  number: number;
  type: number;
  /** The bounds of its value. */
  from: number;
  end: number;
}

/** Undefined if there is no field, or if it is truncated. */
function placeAt(bytes: Buffer, at: number): FieldPlace | undefined {
  const tag = numberAt(bytes, at);
  if (!tag || tag.value < 8 || tag.value > MAX_TAG) return undefined;
  const [number, type] = [Math.floor(tag.value / 8), tag.value % 8];
  let from = tag.end;
  let end = from + (FIXED_BYTES[type] ?? 0);
  if (type === VARINT) end = numberAt(bytes, from)?.end ?? Number.POSITIVE_INFINITY;
  else if (type === BYTES) {
    const size = numberAt(bytes, from);
    from = size?.end ?? from;
    end = from + (size?.value ?? Number.POSITIVE_INFINITY);
  } else if (FIXED_BYTES[type] === undefined) return undefined;
  return end > bytes.length ? undefined : { number, type, from, end };
}

function fieldAt(bytes: Buffer, { number, type, from, end }: FieldPlace): WireField | undefined {
  if (type === FIXED64) return { number, kind: "fixed64", value: bytes.readBigUInt64LE(from) };
  if (type === FIXED32) return { number, kind: "fixed32", value: bytes.readUInt32LE(from) };
  if (type === BYTES) return { number, kind: "bytes", value: bytes.subarray(from, end) };
  const value = varintAt(bytes, from);
  return value === undefined ? undefined : { number, kind: "varint", value };
}

/** Inexact beyond 2^53, where it is only compared with lengths. */
function numberAt(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = from, unit = 1; at < bytes.length && at < from + VARINT_BYTES; at += 1, unit *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}

function varintAt(bytes: Buffer, from: number): bigint | undefined {
  let value = 0n;
  for (let at = from; at < bytes.length && at < from + VARINT_BYTES; at += 1) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
  return undefined;
}
