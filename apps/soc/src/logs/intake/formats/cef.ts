import type { Fields } from "./event.ts";

export interface InnerEvent {
  fields: Fields;
  source: string;
}

/**
 * Field names of ArcSight's Common Event Format (Implementation Standard, revision 25) and the log fields that they
 * fill.
 */
const NAMES: Readonly<Record<string, string>> = {
  src: "src_ip",
  dst: "dst_ip",
  spt: "src_port",
  dpt: "dst_port",
  act: "action",
  outcome: "outcome",
  msg: "message",
  dvchost: "host",
  rt: "timestamp",
};
// The acting user is the source user; many products name only the destination user.
const USERS = ["suser", "duser"];
const HOSTS = ["dvchost", "shost", "dhost", "dvc"];
const LOOKS_LIKE_CEF = /^(?:CEF|cef):\s?(\d+)\|/;
const HEADER_FIELDS = 6;
const KEY = /(?:^|\s)([A-Za-z0-9_.,[\]-]{1,200})=/g;

/** `CEF:Version|Device Vendor|Device Product|Device Version|Signature ID|Name|Severity|Extension` */
export function readCef(message: string): InnerEvent | undefined {
  const start = LOOKS_LIKE_CEF.exec(message);
  if (!start) return undefined;
  const header = parseHeader(message, start[0].length);
  if (!header) return undefined;
  const [vendor = "", product = "", version = "", signature = "", name = "", severity = ""] = header.values;
  const extension = parseExtension(message.slice(header.end));
  const fields: Record<string, unknown> = {
    cef: { version: start[1], device_vendor: vendor, device_product: product, device_version: version, severity },
    name,
    event_code: signature,
    severity: parseSeverity(severity),
    message: extension.get("msg") ?? name,
    ...labelled(extension),
  };
  for (const [key, field] of Object.entries(NAMES)) {
    const value = extension.get(key);
    if (value !== undefined) fields[field] = key === "rt" ? parseInstant(value) : value;
  }
  const user = findFirst(extension, USERS);
  if (user !== undefined) fields.user = user;
  const host = findFirst(extension, HOSTS);
  if (host !== undefined) fields.host = host;
  return { fields: withoutEmpty(fields), source: [vendor, product].filter(Boolean).join(" ") || "cef" };
}

/** In the header, a pipe and a backslash are escaped. */
function parseHeader(message: string, from: number): { values: string[]; end: number } | undefined {
  const values: string[] = [];
  let value = "";
  for (let at = from; at < message.length; at += 1) {
    const character = message.charAt(at);
    const next = message.charAt(at + 1);
    if (character === "\\" && (next === "|" || next === "\\")) {
      value += next;
      at += 1;
    } else if (character === "|") {
      values.push(value);
      value = "";
      if (values.length === HEADER_FIELDS) return { values, end: at + 1 };
    } else value += character;
  }
  // The severity ends the message: there is no extension.
  return values.length === HEADER_FIELDS - 1 ? { values: [...values, value], end: message.length } : undefined;
}

/** A value extends to the next key; an equals sign in a value is escaped, so it cannot be mistaken for a key. */
function parseExtension(text: string): Map<string, string> {
  const starts = [...text.matchAll(KEY)];
  const values = new Map<string, string>();
  for (const [place, start] of starts.entries()) {
    const from = start.index + start[0].length;
    const to = starts[place + 1]?.index ?? text.length;
    values.set(start[1] ?? "", unescaped(text.slice(from, to).trim()));
  }
  return values;
}

function unescaped(text: string): string {
  return text.replace(/\\([\\=nr|])/g, (_all, escaped: string) => LINE_ENDS[escaped] ?? escaped);
}
const LINE_ENDS: Readonly<Record<string, string>> = { n: "\n", r: "\r" };

/** The extension under its own names; a custom field (`cs1` with `cs1Label`) also under its label. */
function labelled(extension: ReadonlyMap<string, string>): Record<string, string> {
  const named: [string, string][] = [];
  for (const [key, value] of extension) {
    if (key === "__proto__") continue;
    named.push([key, value]);
    const label = extension.get(`${key}Label`);
    if (label && label !== "__proto__" && !extension.has(label)) named.push([label, value]);
  }
  return Object.fromEntries(named);
}

function findFirst(extension: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  return keys.map((key) => extension.get(key)).find((value) => value !== undefined && value !== "");
}

function withoutEmpty(fields: Record<string, unknown>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));
}

/** 0-3 low, 4-6 medium, 7-8 high, 9-10 very high; or these words. */
function parseSeverity(text: string): string {
  const number = Number(text);
  if (text.trim() === "" || Number.isNaN(number))
    return /^very-?\s?high$/i.test(text) ? "critical" : text.toLowerCase();
  if (number <= 3) return "low";
  if (number <= 6) return "medium";
  return number <= 8 ? "high" : "critical";
}

/** Milliseconds since 1970, or a time with a zone. A time without a zone is ambiguous. */
export function parseInstant(text: string): number | string | undefined {
  if (/^\d{10,17}$/.test(text)) return Number(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d|GMT|UTC)$/.test(text);
  const epochMs = hasZone ? Date.parse(text) : Number.NaN;
  return Number.isNaN(epochMs) ? undefined : new Date(epochMs).toISOString();
}
