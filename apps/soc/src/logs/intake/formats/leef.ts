import { type InnerEvent, parseInstant } from "./cef.ts";

/** Field names of IBM's Log Event Extended Format and the log fields that they fill. */
const NAMES: Readonly<Record<string, string>> = {
  src: "src_ip",
  dst: "dst_ip",
  srcPort: "src_port",
  dstPort: "dst_port",
  usrName: "user",
  cat: "action",
  identHostName: "host",
};
const HEADER = /^LEEF:\s?([12](?:\.0)?)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|/;
const DELIMITER = /^([^|]{0,6})\|/;
const TAB = "\t";

/**
 * `LEEF:1.0|Vendor|Product|Version|EventID|` with tab-separated pairs; version 2.0 may name another separator first.
 */
export function readLeef(message: string): InnerEvent | undefined {
  const header = HEADER.exec(message);
  if (!header) return undefined;
  const [all, version = "", vendor = "", product = "", device_version = "", event_code = ""] = header;
  const { separator, rest } = splitBody(version, message.slice(all.length));
  const pairs = parsePairs(rest, separator);
  const fields: Record<string, unknown> = {
    leef: { version, vendor, product, product_version: device_version },
    event_code,
    message: pairs.msg ?? message,
    ...pairs,
  };
  for (const [key, field] of Object.entries(NAMES)) if (pairs[key]) fields[field] = pairs[key];
  const at = pairs.devTime === undefined ? undefined : parseInstant(pairs.devTime);
  if (at !== undefined) fields.timestamp = at;
  const severity = parseSeverity(pairs.sev);
  if (severity) fields.severity = severity;
  return { fields, source: [vendor, product].filter(Boolean).join(" ") || "leef" };
}

function splitBody(version: string, text: string): { separator: string; rest: string } {
  const named = version.startsWith("2") ? DELIMITER.exec(text) : null;
  const separator = named ? parseSeparator(named[1] ?? "") : TAB;
  if (!named || separator === undefined) return { separator: TAB, rest: text };
  return { separator, rest: text.slice(named[0].length) };
}

/** One character, or its hexadecimal code; an empty text means a tab. */
function parseSeparator(text: string): string | undefined {
  if (text === "") return TAB;
  const digits = /^(?:0?x)([0-9a-f]{2,4})$/i.exec(text)?.[1];
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  return text.length === 1 ? text : undefined;
}

function parsePairs(text: string, separator: string): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const part of text.split(separator)) {
    const equals = part.indexOf("=");
    const key = part.slice(0, Math.max(equals, 0)).trim();
    if (key !== "" && key !== "__proto__") pairs.push([key, part.slice(equals + 1)]);
  }
  return Object.fromEntries(pairs);
}

/** From 1 to 10, in the ranges that LEEF products use. */
function parseSeverity(text: string | undefined): string | undefined {
  const number = Number(text);
  if (!text || Number.isNaN(number)) return undefined;
  if (number <= 3) return "low";
  if (number <= 6) return "medium";
  return number <= 8 ? "high" : "critical";
}
