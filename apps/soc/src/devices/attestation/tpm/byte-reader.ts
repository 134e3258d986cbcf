import { invalidField } from "@kit/problem";

/** Reads the big-endian fields of a TPM structure. The error for a truncated or oversized field names the field. */
export interface ByteReader {
  uint8(field: string): number;
  uint16(field: string): number;
  uint32(field: string): number;
  uint64(field: string): bigint;
  bytes(field: string, length: number): Buffer;
  /** Reads a TPM2B: two length bytes, then the content. */
  sized(field: string, maxLength: number): Buffer;
}

/** Reads one structure. Throws for bytes after its end, so that no signed byte stays unread. */
export function readStructure<Result>(name: string, input: Uint8Array, read: (reader: ByteReader) => Result): Result {
  const view = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  let offset = 0;
  function bytes(field: string, length: number): Buffer {
    const left = view.length - offset;
    if (length > left) throw invalidField(`${name}.${field}`, `needs ${length} bytes, has ${left}`);
    offset += length;
    return view.subarray(offset - length, offset);
  }
  const uint16 = (field: string) => bytes(field, 2).readUInt16BE();
  const result = read({
    bytes,
    uint8: (field) => bytes(field, 1).readUInt8(),
    uint16,
    uint32: (field) => bytes(field, 4).readUInt32BE(),
    uint64: (field) => bytes(field, 8).readBigUInt64BE(),
    sized(field, maxLength) {
      const length = uint16(field);
      if (length > maxLength)
        throw invalidField(`${name}.${field}`, `has ${length} bytes, at most ${maxLength} are allowed`);
      return bytes(field, length);
    },
  });
  if (offset < view.length) throw invalidField(name, `has ${view.length - offset} bytes after its end`);
  return result;
}

export function writeUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function writeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function writeSized(content: Uint8Array): Buffer {
  return Buffer.concat([writeUint16(content.length), content]);
}
