import { type ParseResult, readName } from "./event.ts";
import { linesIn, objectIn, valuesIn } from "./json-values.ts";

const STARTS_LIST = /^[\s\uFEFF]*\[/;

/** Parses a list of objects, one object, or one object per line. A broken line does not affect the others. */
export function readJsonEvents(text: string): ParseResult[] {
  return cutJsonEvents(text).map(parseJsonEvent);
}

/** The texts of the events, before parsing. */
export function cutJsonEvents(text: string): string[] {
  if (STARTS_LIST.test(text)) return valuesIn(text);
  const lines = linesIn(text);
  // One object formatted over several lines: its first line alone is not an object.
  const [first = ""] = lines;
  if (lines.length > 1 && "reason" in objectIn(first)) {
    const whole = text.trim();
    if ("object" in objectIn(whole)) return [whole];
  }
  return lines;
}

export function parseJsonEvent(raw: string): ParseResult {
  const read = objectIn(raw);
  if (!("object" in read)) return read;
  const { id, source } = { id: readName(read.object.id), source: readName(read.object.source) };
  return { fields: read.object, raw, ...(id && { id }), ...(source && { source }) };
}
