import { type Fields, isFields, type ParseResult, readName } from "./event.ts";
import { linesIn, objectIn, valuesIn } from "./json-values.ts";

/**
 * Parses the body of Splunk's HTTP Event Collector: concatenated objects, each an event in an envelope of `time`,
 * `host`, `source`, `sourcetype`, `index` and `fields`. Fields of the event take precedence over the envelope.
 */
export function readHecEvents(text: string): ParseResult[] {
  return [...iterateHecEvents(text)];
}

/** For a large body: each event is parsed when it is needed. */
export function* iterateHecEvents(text: string): Generator<ParseResult, void, undefined> {
  for (const raw of valuesIn(text)) yield parseEvent(raw);
}

function parseEvent(raw: string): ParseResult {
  const read = objectIn(raw);
  if (!("object" in read)) return read;
  const { event, time, host, source, sourcetype, index, fields } = read.object;
  // The collector reports these two errors as codes 12 and 13.
  if (event === undefined || event === null) return { raw, reason: "event: is required" };
  if (event === "") return { raw, reason: "event: must not be blank" };
  const own = readContent(event);
  const held: Record<string, unknown> = { ...(isFields(fields) && fields), ...own };
  const at = parseSeconds(time);
  if (at !== undefined && own.timestamp === undefined) held.timestamp = at;
  if (readName(host) !== undefined && own.host === undefined) held.host = host;
  for (const [name, value] of Object.entries({ sourcetype, index })) {
    if (readName(value) !== undefined && held[name] === undefined) held[name] = value;
  }
  const from = readName(source) ?? readName(sourcetype);
  return { fields: held, raw, ...(from && { source: from }) };
}

/** Metadata of the lines, which the sender names in the URL. */
export interface HecMetadata {
  host?: string;
  sourcetype?: string;
  index?: string;
  time?: string;
}

/**
 * Parses the body of the collector's raw endpoint: each line is an event. If a line is an object, its fields are used.
 */
export function readHecLines(text: string, { host, sourcetype, index, time }: HecMetadata): ParseResult[] {
  const at = parseSeconds(time);
  const shared = {
    ...(at !== undefined && { timestamp: at }),
    ...(host !== undefined && { host }),
    ...(sourcetype !== undefined && { sourcetype }),
    ...(index !== undefined && { index }),
  };
  return linesIn(text).map((raw) => {
    const read = raw.startsWith("{") ? objectIn(raw) : undefined;
    const fields = read && "object" in read ? read.object : { message: raw };
    return { fields: { ...shared, ...fields }, raw, ...(sourcetype !== undefined && { source: sourcetype }) };
  });
}

function readContent(event: unknown): Fields {
  if (isFields(event)) return event;
  return { message: typeof event === "string" ? event : JSON.stringify(event) };
}

/** Seconds since 1970, as a number or a string. */
function parseSeconds(time: unknown): number | undefined {
  const seconds = typeof time === "string" && time.trim() !== "" ? Number(time) : time;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
