import { EVENT_CHARACTERS, EVENT_LEVELS, type Fields, type Found, isFields, nameOf } from "../pipeline/event.ts";

// OpenTelemetry's log data model, "Severity Fields": four numbers each.
const SEVERITIES = ["info", "info", "info", "warning", "error", "fatal"];
const NANOSECONDS = 1_000_000n;

/** The records of an ExportLogsServiceRequest in OTLP's JSON; undefined when it is none. */
export function readOtlpEvents(request: unknown): Found[] | undefined {
  if (!isFields(request)) return undefined;
  const found: Found[] = [];
  for (const of of listOf(request.resourceLogs)) {
    for (const within of listOf(of.scopeLogs)) {
      for (const record of listOf(within.logRecords)) found.push(eventOf(of.resource, within.scope, record));
    }
  }
  return found;
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((each: unknown) => (isFields(each) ? each : {})) : [];
}

/** Each is kept as a request of its own, so that it can be read again alone. */
function eventOf(resource: unknown, scope: unknown, record: Fields): Found {
  const raw = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }] });
  if (raw.length > EVENT_CHARACTERS) return { raw, reason: `event: must be at most ${EVENT_CHARACTERS} characters` };
  const about = attributesOf(isFields(resource) ? resource.attributes : undefined);
  const named = attributesOf(record.attributes);
  const content = anyValueOf(record.body, 0);
  const fields: Record<string, unknown> = {
    ...about,
    ...named,
    ...(isFields(content) ? content : content !== undefined && { message: textOf(content) }),
    ...withoutNothing({
      timestamp: instantOf(record.timeUnixNano) ?? instantOf(record.observedTimeUnixNano),
      severity: severityOf(record),
      severity_text: record.severityText,
      trace_id: record.traceId,
      span_id: record.spanId,
      event_name: record.eventName,
      scope: isFields(scope) ? scope.name : undefined,
    }),
  };
  const source = nameOf(about["service.name"]) ?? (isFields(scope) ? nameOf(scope.name) : undefined);
  return { fields, raw, ...(source && { source }) };
}

function withoutNothing(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));
}

function attributesOf(list: unknown): Record<string, unknown> {
  return pairsOf(list, 0);
}

function pairsOf(list: unknown, level: number): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  for (const { key, value } of listOf(list)) {
    if (typeof key === "string" && key !== "" && key !== "__proto__") pairs.push([key, anyValueOf(value, level + 1)]);
  }
  return Object.fromEntries(pairs);
}

/** An AnyValue is an object with one of seven members. */
function anyValueOf(any: unknown, level: number): unknown {
  if (!isFields(any) || level > EVENT_LEVELS) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = any;
  if (intValue !== undefined) return integerOf(intValue);
  if (isFields(arrayValue)) return listOf(arrayValue.values).map((each) => anyValueOf(each, level + 1));
  if (isFields(kvlistValue)) return pairsOf(kvlistValue.values, level);
  return stringValue ?? boolValue ?? doubleValue ?? bytesValue;
}

/** JSON carries 64 bits as text; those that a number cannot hold stay text. */
function integerOf(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function instantOf(nanoseconds: unknown): string | undefined {
  const digits = typeof nanoseconds === "string" || typeof nanoseconds === "number" ? String(nanoseconds) : "";
  if (!/^\d{1,20}$/.test(digits) || /^0+$/.test(digits)) return undefined;
  const epochMs = Number(BigInt(digits) / NANOSECONDS);
  return epochMs <= 8.64e15 ? new Date(epochMs).toISOString() : undefined;
}

function severityOf({ severityNumber, severityText }: Fields): string | undefined {
  const word = typeof severityText === "string" ? severityText.toLowerCase() : undefined;
  if (typeof severityNumber !== "number" || severityNumber < 1) return word;
  return SEVERITIES[Math.floor((severityNumber - 1) / 4)] ?? word;
}
