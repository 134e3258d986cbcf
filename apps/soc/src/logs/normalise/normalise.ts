import { isIP } from "node:net";
import type { LogEvent, LogField, LogSeverity } from "../search/log.ts";
import { NAMES_OF, SIGMA_NAMES, SLOTS } from "./event-names.ts";
import { collectWindowsAttributes, flattenWindowsEvent, isFields } from "./windows-event.ts";

/** Metadata of an event besides its content. */
export interface Arrival {
  id: string;
  /** ISO 8601 with milliseconds, in UTC. */
  ingested_at: string;
  site: string;
  /** The source that the sender named; if omitted, it is read from the event. */
  source?: string;
  raw: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly [string, ...string[]];

const DEEPEST = 20;
const ALIASES = SIGMA_NAMES.map(([ecs, sigma]) => ({ path: parsePath(ecs), sigma }));
const LOGONS = new Set(["4624", "4625", "4634", "4647", "4648", "4768", "4769", "4771", "4776"]);

/**
 * Converts an event of any shape to a log. No content is lost: it goes to a field, or to the attributes under its
 * original name.
 */
export function toLog(event: Fields, arrival: Arrival): LogEvent {
  const nested = isNested(event) ? event : nestFields(event);
  const windows = flattenWindowsEvent(nested);
  const fields = windows ?? nested;
  const [host = "", event_code = "", action = "", outcome = "", user = "", ...others] = pickTexts(fields);
  const [src_ip = "", dst_ip = "", src_port = "", dst_port = "", process = "", ...more] = others;
  const [message = "", source = "", severity = ""] = more;
  const log: LogEvent = {
    id: arrival.id,
    timestamp: readTimestamp(fields) ?? arrival.ingested_at,
    ingested_at: arrival.ingested_at,
    site: arrival.site,
    source: arrival.source ?? (source || "unknown"),
    host,
    severity: parseSeverity(fields, severity),
    event_code,
    action,
    outcome: toOutcome(fields, outcome),
    user: pickUser(fields, event_code, user),
    src_ip: toAddress(src_ip),
    dst_ip: toAddress(dst_ip),
    src_port: toPort(src_port),
    dst_port: toPort(dst_port),
    process,
    message,
    raw: arrival.raw,
    attributes: {},
  };
  log.attributes = windows ? collectWindowsAttributes(windows) : collectAttributes(nested, log);
  return log;
}

/** A name, or the first part of one, with the field that it can fill; a lower rank has precedence. */
interface Source {
  /** The index of the field in SLOTS. */
  slot: number;
  rank: number;
  path: Path;
}

const SOURCES: ReadonlyMap<string, readonly Source[]> = listSources();

function listSources(): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  for (const [slot, field] of SLOTS.entries()) {
    for (const [rank, name] of NAMES_OF[field].entries()) {
      const path = parsePath(name);
      sources.set(path[0], [...(sources.get(path[0]) ?? []), { slot, rank, path }]);
    }
  }
  return sources;
}

const NO_TEXTS: readonly string[] = SLOTS.map(() => "");
const NO_RANKS: readonly number[] = SLOTS.map(() => Number.MAX_SAFE_INTEGER);

/** The best text for each of SLOTS, in one pass over the names of the event, which are fewer than all known names. */
function pickTexts(fields: Fields): string[] {
  const texts = [...NO_TEXTS];
  const ranks = [...NO_RANKS];
  for (const name of Object.keys(fields)) {
    const sources = SOURCES.get(name);
    if (sources === undefined) continue;
    for (const { slot, rank, path } of sources) {
      if (rank >= (ranks[slot] ?? 0)) continue;
      const text = toText(path.length === 1 ? fields[name] : valueAt(fields, path));
      if (text === "") continue;
      texts[slot] = text;
      ranks[slot] = rank;
    }
  }
  return texts;
}

/** Windows writes "-" for an empty value. */
function toText(value: unknown): string {
  if (typeof value === "string") return value === "-" ? "" : value;
  return typeof value === "number" ? String(value) : "";
}

function isNested(fields: Fields, depth = 0): boolean {
  if (depth > DEEPEST) return true;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === null || name.includes(".") || name === "__proto__") return false;
    if (typeof value === "object" && isFields(value) && !isNested(value, depth + 1)) return false;
  }
  return true;
}

/** "a.b" and a "b" within "a" are the same path in the store, so they are merged here; null values are dropped. */
function nestFields(fields: Fields, depth = 0): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === null) continue;
    const held = isFields(value) && depth < DEEPEST ? nestFields(value, depth + 1) : value;
    if (name.includes(".")) putAt(nested, name.split("."), held);
    else if (isFields(held) && isFields(nested[name])) nested[name] = { ...nested[name], ...held };
    else if (name !== "__proto__") nested[name] = held;
  }
  return nested;
}

function putAt(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  if (first === "__proto__") return;
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = into[first];
  const copy: Record<string, unknown> = isFields(inner) ? { ...inner } : {};
  putAt(copy, rest, value);
  into[first] = copy;
}

function addSigmaNames(attributes: Record<string, unknown>): void {
  for (const { path, sigma } of ALIASES) {
    if (attributes[path[0]] === undefined || attributes[sigma] !== undefined) continue;
    const value = valueAt(attributes, path);
    if (value !== undefined) attributes[sigma] = value;
  }
}

/** Names that are redundant when the field of the log has the same value. */
const FIELD_OF: ReadonlyMap<string, LogField> = new Map<string, LogField>([
  ["timestamp", "timestamp"],
  ["@timestamp", "timestamp"],
  ["source", "source"],
  ["host", "host"],
  ["severity", "severity"],
  ["event_code", "event_code"],
  ["action", "action"],
  ["outcome", "outcome"],
  ["user", "user"],
  ["src_ip", "src_ip"],
  ["dst_ip", "dst_ip"],
  ["src_port", "src_port"],
  ["dst_port", "dst_port"],
  ["process", "process"],
  ["message", "message"],
]);

function collectAttributes(fields: Fields, log: LogEvent): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const own = FIELD_OF.get(name);
    if (value === null || value === undefined) continue;
    if (own === undefined || (value !== log[own] && toText(value) !== log[own])) attributes[name] = value;
  }
  addSigmaNames(attributes);
  return attributes;
}

function valueAt(fields: Fields, [first, ...rest]: Path): unknown {
  let value = fields[first];
  for (const name of rest) value = isFields(value) ? value[name] : undefined;
  return value;
}

function toAddress(text: string): string {
  const address = text.startsWith("::") ? text.replace(/^::ffff:(?=\d+\.)/i, "") : text;
  return isIP(address) === 0 ? "" : address;
}

function toPort(text: string): number {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : 0;
}

/** In a logon event the user is the target; in any other event it is the subject. */
function pickUser(fields: Fields, event_code: string, user: string): string {
  return (LOGONS.has(event_code) && toText(fields.TargetUserName)) || user;
}

function toOutcome(fields: Fields, text: string): string {
  const keywords = fields.EventType ?? fields.Keywords;
  if (keywords === "AUDIT_SUCCESS" || keywords === "0x8020000000000000") return "success";
  if (keywords === "AUDIT_FAILURE" || keywords === "0x8010000000000000") return "failure";
  return text;
}

// A Map: a word such as `constructor` would find a member that every object has.
const SEVERITY_OF: ReadonlyMap<string, LogSeverity> = new Map<string, LogSeverity>([
  ...["critical", "fatal", "emergency", "emerg", "alert", "crit", "1"].map((word) => [word, "critical"] as const),
  ...["high", "error", "err", "2"].map((word) => [word, "high"] as const),
  ...["medium", "warning", "warn", "3"].map((word) => [word, "medium"] as const),
  ...["low", "notice"].map((word) => [word, "low"] as const),
]);

function parseSeverity(fields: Fields, text: string): LogSeverity {
  // The numbers are levels of a Windows event. NXLog writes the level as a word and as its own number, in which 2 means information.
  const word = fields.SeverityValue === undefined ? text : toText(fields.Severity);
  return SEVERITY_OF.get(word.toLowerCase()) ?? "info";
}

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;
const SYSMON_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/;

const TIME_PATHS = NAMES_OF.timestamp.map(parsePath);

function readTimestamp(fields: Fields): string | undefined {
  for (const path of TIME_PATHS) {
    const value = valueAt(fields, path);
    const instant = typeof value === "number" ? parseEpoch(value) : parseInstant(value, path[0]);
    if (instant !== undefined) return instant;
  }
  return undefined;
}

/** A time without a zone is ambiguous; only the name of Sysmon's UtcTime says that it is UTC. */
function parseInstant(value: unknown, name: string): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = name === "UtcTime" ? value.replace(SYSMON_TIME, "$1T$2Z") : value;
  if (!HAS_ZONE.test(text)) return undefined;
  const epochMs = Date.parse(text);
  if (!isStorable(epochMs)) return undefined;
  return CANONICAL.test(text) ? text : new Date(epochMs).toISOString();
}

const MAX_SECONDS = 1e11;
const MAX_MILLISECONDS = 1e14;
const MAX_MICROSECONDS = 1e17;

/** Seconds, milliseconds, microseconds or nanoseconds: their ranges differ by more than any clock error. */
function parseEpoch(value: number): string | undefined {
  const epochMs = Math.round(value * scaleOf(value));
  return isStorable(epochMs) ? new Date(epochMs).toISOString() : undefined;
}

function scaleOf(value: number): number {
  if (value < MAX_SECONDS) return 1000;
  if (value < MAX_MILLISECONDS) return 1;
  return value < MAX_MICROSECONDS ? 1e-3 : 1e-6;
}

const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

function isStorable(epochMs: number): boolean {
  return epochMs >= EARLIEST && epochMs < LATEST;
}

function parsePath(name: string): Path {
  const [first = "", ...rest] = name.split(".");
  return [first, ...rest];
}
