import { EVENT_LEVELS, MAX_EVENTS, requireFewEvents } from "./event.ts";
import { type WireField, wireFieldsIn } from "./protobuf.ts";

type Message = Record<string, unknown>;

/** The name of a message field in OTLP's JSON, and how its value is read. */
interface Shape {
  [number: number]: { name: string; read: (field: WireField, place: Place) => unknown; isRepeated?: true };
}

/** The depth of a message, and how many messages the request may still have. */
interface Place {
  level: number;
  left: { messages: number };
  records: { count: number };
}

// An attribute consists of two messages of at least a few bytes. A 32 MiB body with more messages is an attack on the
// memory.
const MAX_MESSAGES = 2_500_000;

/** The bytes violate the protocol. Caught where parsing starts. */
class Malformed extends Error {}

const text = (field: WireField) => readBytes(field).toString("utf8");
const hex = (field: WireField) => readBytes(field).toString("hex");
const base64 = (field: WireField) => readBytes(field).toString("base64");
const decimal = (field: WireField) => String(readInteger(field));
const signed = (field: WireField) => String(BigInt.asIntN(64, readInteger(field)));
const number = (field: WireField) => Number(readInteger(field));
const truth = (field: WireField) => readInteger(field) !== 0n;
const message = (shape: () => Shape) => (field: WireField, place: Place) =>
  read(readBytes(field), shape(), { ...place, level: place.level + 1 });
const record = (field: WireField, place: Place) => {
  place.records.count += 1;
  requireFewEvents(place.records.count);
  return message(() => LOG_RECORD)(field, place);
};

// opentelemetry/proto/common/v1/common.proto
const ANY_VALUE: Shape = {
  1: { name: "stringValue", read: text },
  2: { name: "boolValue", read: truth },
  3: { name: "intValue", read: signed },
  4: { name: "doubleValue", read: readDouble },
  5: { name: "arrayValue", read: message(() => ARRAY_VALUE) },
  6: { name: "kvlistValue", read: message(() => KEY_VALUE_LIST) },
  7: { name: "bytesValue", read: base64 },
};
const ARRAY_VALUE: Shape = { 1: { name: "values", read: message(() => ANY_VALUE), isRepeated: true } };
const KEY_VALUE: Shape = { 1: { name: "key", read: text }, 2: { name: "value", read: message(() => ANY_VALUE) } };
const KEY_VALUE_LIST: Shape = { 1: { name: "values", read: message(() => KEY_VALUE), isRepeated: true } };
const attributes = { name: "attributes", read: message(() => KEY_VALUE), isRepeated: true } as const;
const SCOPE: Shape = { 1: { name: "name", read: text }, 2: { name: "version", read: text }, 3: attributes };

// opentelemetry/proto/resource/v1/resource.proto
const RESOURCE: Shape = { 1: attributes };

// opentelemetry/proto/logs/v1/logs.proto
const LOG_RECORD: Shape = {
  1: { name: "timeUnixNano", read: decimal },
  2: { name: "severityNumber", read: number },
  3: { name: "severityText", read: text },
  5: { name: "body", read: message(() => ANY_VALUE) },
  6: attributes,
  8: { name: "flags", read: number },
  9: { name: "traceId", read: hex },
  10: { name: "spanId", read: hex },
  11: { name: "observedTimeUnixNano", read: decimal },
  12: { name: "eventName", read: text },
};
const SCOPE_LOGS: Shape = {
  1: { name: "scope", read: message(() => SCOPE) },
  2: { name: "logRecords", read: record, isRepeated: true },
};
const RESOURCE_LOGS: Shape = {
  1: { name: "resource", read: message(() => RESOURCE) },
  2: { name: "scopeLogs", read: message(() => SCOPE_LOGS), isRepeated: true },
};
// opentelemetry/proto/collector/logs/v1/logs_service.proto
const EXPORT_LOGS_REQUEST: Shape = {
  1: { name: "resourceLogs", read: message(() => RESOURCE_LOGS), isRepeated: true },
};

/** Decodes an ExportLogsServiceRequest into its JSON form; undefined if the bytes are malformed. */
export function exportRequestIn(bytes: Buffer): Message | undefined {
  try {
    return read(bytes, EXPORT_LOGS_REQUEST, { level: 0, left: { messages: MAX_MESSAGES }, records: { count: 0 } });
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function read(bytes: Buffer, shape: Shape, place: Place): Message {
  place.left.messages -= 1;
  const isTooLarge = place.level > 2 * EVENT_LEVELS || place.left.messages < 0;
  // One field more than allowed, so that a list of too many records is refused as such.
  const fields = isTooLarge ? undefined : wireFieldsIn(bytes, MAX_EVENTS + 1);
  if (!fields) throw new Malformed();
  const made: Message = {};
  for (const field of fields) {
    const known = shape[field.number];
    // A field of a newer protocol version.
    if (!known) continue;
    const value = known.read(field, place);
    if (!known.isRepeated) made[known.name] = value;
    else {
      const list = made[known.name];
      if (Array.isArray(list)) list.push(value);
      else made[known.name] = [value];
    }
  }
  return made;
}

function readBytes(field: WireField): Buffer {
  if (field.kind !== "bytes") throw new Malformed();
  return field.value;
}

function readInteger(field: WireField): bigint {
  if (field.kind === "bytes") throw new Malformed();
  return BigInt(field.value);
}

function readDouble(field: WireField): number | string {
  if (field.kind !== "fixed64") throw new Malformed();
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(field.value);
  const value = bytes.readDoubleLE();
  // The JSON format of Protocol Buffers encodes NaN and the infinities as strings.
  return Number.isFinite(value) ? value : String(value);
}
