interface RefusedRecord {
  reason: string;
}

/** An ExportLogsServiceResponse: empty on success, otherwise the number of refused records and the first reason. */
export function buildPartialSuccess(refused: readonly RefusedRecord[]): { json: object; protobuf: Buffer } {
  const [first] = refused;
  if (!first) return { json: {}, protobuf: Buffer.alloc(0) };
  const errorMessage = first.reason.slice(0, 1000);
  const json = { partialSuccess: { rejectedLogRecords: String(refused.length), errorMessage } };
  // ExportLogsPartialSuccess: int64 rejected_log_records = 1; string error_message = 2.
  const words = Buffer.from(errorMessage, "utf8");
  const inner = Buffer.concat([Buffer.of(0x08), varint(refused.length), Buffer.of(0x12), varint(words.length), words]);
  // ExportLogsServiceResponse: partial_success = 1.
  return { json, protobuf: Buffer.concat([Buffer.of(0x0a), varint(inner.length), inner]) };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}
