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

/** The fields in order; undefined when the bytes are not a message, or one of more fields than `most`. */
export function wireFieldsIn(bytes: Buffer, most: number): WireField[] | undefined {
  const fields: WireField[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    if (!tag) return undefined;
    const read = fieldAt(bytes, tag.end, Number(tag.value >> 3n), Number(tag.value & 7n));
    if (!read || fields.length === most) return undefined;
    fields.push(read.field);
    at = read.end;
  }
  return fields;
}

function fieldAt(bytes: Buffer, at: number, number: number, type: number) {
  if (number === 0) return undefined;
  if (type === VARINT) {
    const read = varintAt(bytes, at);
    return read && { field: { number, kind: "varint", value: read.value } as const, end: read.end };
  }
  if (type === FIXED64) {
    if (at + 8 > bytes.length) return undefined;
    return { field: { number, kind: "fixed64", value: bytes.readBigUInt64LE(at) } as const, end: at + 8 };
  }
  if (type === FIXED32) {
    if (at + 4 > bytes.length) return undefined;
    return { field: { number, kind: "fixed32", value: bytes.readUInt32LE(at) } as const, end: at + 4 };
  }
  if (type !== BYTES) return undefined;
  const size = varintAt(bytes, at);
  if (!size || size.value > BigInt(bytes.length)) return undefined;
  const end = size.end + Number(size.value);
  if (end > bytes.length) return undefined;
  return { field: { number, kind: "bytes", value: bytes.subarray(size.end, end) } as const, end };
}

function varintAt(bytes: Buffer, from: number): { value: bigint; end: number } | undefined {
  let value = 0n;
  for (let at = from; at < bytes.length && at < from + VARINT_BYTES; at += 1) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + 1 };
  }
  return undefined;
}
