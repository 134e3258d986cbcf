import {
  EVENT_CHARACTERS,
  EVENT_LEVELS,
  type Fields,
  isFields,
  type ParseResult,
  readName,
  requireFewEvents,
} from "./event.ts";

// OpenTelemetry's log data model, "Severity Fields": each name covers four numbers.
const SEVERITIES = ["info", "info", "info", "warning", "error", "fatal"];
const NANOSECONDS = 1_000_000n;

/** The records of an ExportLogsServiceRequest in OTLP's JSON; undefined when it is not such a request. */
export function readOtlpEvents(request: unknown): ParseResult[] | undefined {
  if (!isFields(request)) return undefined;
  const found: ParseResult[] = [];
  for (const of of toFieldsList(request.resourceLogs)) {
    for (const within of toFieldsList(of.scopeLogs)) {
      const { logRecords } = within;
      requireFewEvents(found.length + (Array.isArray(logRecords) ? logRecords.length : 0));
      for (const record of toFieldsList(logRecords)) found.push(buildEvent(of.resource, within.scope, record));
    }
  }
  return found;
}

function toFieldsList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((each: unknown) => (isFields(each) ? each : {})) : [];
}

/** Each record is stored as a separate request, so that it can be parsed again on its own. */
function buildEvent(resource: unknown, scope: unknown, record: Fields): ParseResult {
  const raw = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] });
  if (raw.length > EVENT_CHARACTERS) return { raw, reason: `event: must be at most ${EVENT_CHARACTERS} characters` };
  const about = readAttributes(isFields(resource) ? resource.attributes : undefined);
  const named = readAttributes(record.attributes);
  const content = readAnyValue(record.body, 0);
  const fields: Record<string, unknown> = {
    ...about,
    ...named,
    ...(isFields(content) ? content : content !== undefined && { message: toText(content) }),
    ...withoutEmpty({
      timestamp: parseInstant(record.timeUnixNano) ?? parseInstant(record.observedTimeUnixNano),
      severity: parseSeverity(record),
      severity_text: record.severityText,
      trace_id: record.traceId,
      span_id: record.spanId,
      event_name: record.eventName,
      scope: isFields(scope) ? scope.name : undefined,
    }),
  };
  const source = readName(about["service.name"]) ?? (isFields(scope) ? readName(scope.name) : undefined);
  return { fields, raw, ...(source && { source }) };
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));
}

function readAttributes(list: unknown): Record<string, unknown> {
  return readPairs(list, 0);
}

function readPairs(list: unknown, level: number): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  for (const { key, value } of toFieldsList(list)) {
    if (typeof key === "string" && key !== "" && key !== "__proto__") pairs.push([key, readAnyValue(value, level + 1)]);
  }
  return Object.fromEntries(pairs);
}

/** An AnyValue is an object with one of seven members. */
function readAnyValue(any: unknown, level: number): unknown {
  if (!isFields(any) || level > EVENT_LEVELS) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = any;
  if (intValue !== undefined) return toInteger(intValue);
  if (isFields(arrayValue)) return toFieldsList(arrayValue.values).map((each) => readAnyValue(each, level + 1));
  if (isFields(kvlistValue)) return readPairs(kvlistValue.values, level);
  return stringValue ?? boolValue ?? doubleValue ?? bytesValue;
}

/** JSON encodes 64-bit integers as strings; those that a JavaScript number cannot represent remain strings. */
function toInteger(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function parseInstant(nanoseconds: unknown): string | undefined {
  const digits = typeof nanoseconds === "string" || typeof nanoseconds === "number" ? String(nanoseconds) : "";
  if (!/^\d{1,20}$/.test(digits) || /^0+$/.test(digits)) return undefined;
  const epochMs = Number(BigInt(digits) / NANOSECONDS);
  return epochMs <= 8.64e15 ? new Date(epochMs).toISOString() : undefined;
}

function parseSeverity({ severityNumber, severityText }: Fields): string | undefined {
  const word = typeof severityText === "string" ? severityText.toLowerCase() : undefined;
  if (typeof severityNumber !== "number" || severityNumber < 1) return word;
  return SEVERITIES[Math.floor((severityNumber - 1) / 4)] ?? word;
}
