import { isIP } from "node:net";
import { unifyAddress } from "../../foundation/records/entity-name.ts";
import type { LogEvent, LogField, LogSeverity } from "../../ports/log-event.ts";
import { NAMES_OF, SIGMA_NAMES, SLOTS } from "./event-names.ts";
import { type Fields, isFields, type Path, parsePath, toText, valueAt } from "./event-path.ts";
import { summarise } from "./event-summary.ts";
import { readEventTime, type ToInstant } from "./event-time.ts";
import { limitWidth, MAX_VALUES } from "./event-width.ts";
import { collectWindowsAttributes, flattenWindowsEvent, SYSMON } from "./windows-event.ts";

/** Metadata of an event besides its content. */
export interface Arrival {
  id: string;
  /** ISO 8601 with milliseconds, in UTC. */
  ingested_at: string;
  site: string;
  /** The source that the sender named; if omitted, it is read from the event. */
  source?: string;
  /** How a time without a zone is converted, by source; UTC by default. */
  findLocalTime?: ((source: string) => ToInstant | undefined) | undefined;
  raw: string;
}

const DEEPEST = 20;
const SHORTEST_VALUE = 4;
const ALIASES = SIGMA_NAMES.map(([ecs, sigma]) => ({ path: parsePath(ecs), sigma }));
const LOGONS = new Set(["4624", "4625", "4634", "4647", "4648", "4768", "4769", "4771", "4776"]);

/**
 * Converts an event of any shape to a log. No content is lost: it goes to a field, or to the attributes under its
 * original name.
 */
export function toLog(whole: Fields, arrival: Arrival): LogEvent {
  // Counting costs an eighth of this function, and no format writes a value in fewer characters.
  const event = arrival.raw.length < SHORTEST_VALUE * MAX_VALUES ? whole : limitWidth(whole);
  const nested = isNested(event) ? event : nestFields(event);
  const windows = flattenWindowsEvent(nested);
  const fields = windows ?? nested;
  const [host = "", event_code = "", action = "", outcome = "", user = "", ...others] = pickTexts(fields);
  const [src_ip = "", dst_ip = "", src_port = "", dst_port = "", process = "", ...more] = others;
  const [message = "", ownSource = "", severity = ""] = more;
  const source = arrival.source ?? (ownSource || "unknown");
  const log: LogEvent = {
    id: arrival.id,
    ...readEventTime(fields, arrival.ingested_at, arrival.findLocalTime?.(source)),
    ingested_at: arrival.ingested_at,
    site: arrival.site,
    source,
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
  if (message === "") log.message = summarise(fields, log);
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

function isNested(fields: Fields, depth = 0): boolean {
  if (depth > DEEPEST) return true;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === null || name.includes(".") || name === "__proto__") return false;
    if (typeof value !== "object") continue;
    if (Array.isArray(value) ? isObjectList(value) : isFields(value) && !isNested(value, depth + 1)) return false;
  }
  return true;
}

function isObjectList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

/**
 * `[{"b": 1}, {"b": 2}]` becomes `{"b": [1, 2]}`, because the store reads a path through objects, not through lists of
 * them.
 */
function joinObjects(objects: readonly Fields[], depth: number): Record<string, unknown> {
  const lists = new Map<string, unknown[]>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(nestFields(object, depth))) {
      const list = lists.get(name) ?? [];
      lists.set(name, list);
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      for (const each of values) list.push(each);
    }
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, joinList(list, depth)]));
}

function joinList(list: readonly unknown[], depth: number): unknown {
  if (list.length > 1) return isObjectList(list) && depth < DEEPEST ? joinObjects(list, depth + 1) : list;
  return list[0];
}

/**
 * "a.b" and a "b" within "a" are the same path in the store, so they are merged here; null values are dropped, and the
 * objects of a list are joined.
 */
function nestFields(fields: Fields, depth = 0): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === null) continue;
    const held = depth < DEEPEST ? nestValue(value, depth + 1) : value;
    if (name.includes(".")) putAt(nested, name.split("."), held);
    else if (isFields(held) && isFields(nested[name])) nested[name] = { ...nested[name], ...held };
    else if (name !== "__proto__") nested[name] = held;
  }
  return nested;
}

function nestValue(value: unknown, depth: number): unknown {
  if (isObjectList(value)) return joinObjects(value, depth);
  return isFields(value) ? nestFields(value, depth) : value;
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
    const isRedundant = own !== undefined && !Array.isArray(value) && [value, toText(value)].includes(log[own]);
    if (!isRedundant) attributes[name] = value;
  }
  addSigmaNames(attributes);
  return attributes;
}

function toAddress(text: string): string {
  return isIP(text) === 0 ? "" : unifyAddress(text);
}

function toPort(text: string): number {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : 0;
}

/** In a logon event the user is the target; in any other event it is the subject. */
function pickUser(fields: Fields, event_code: string, user: string): string {
  // The account of a Sysmon event is that of Sysmon's own service, not of the user who acted.
  if (fields.Channel === SYSMON) return toText(fields.User) || toText(fields.SourceUser);
  return (LOGONS.has(event_code) && toText(fields.TargetUserName)) || user;
}

function toOutcome(fields: Fields, text: string): string {
  const keywords = fields.EventType ?? fields.Keywords;
  if (keywords === "AUDIT_SUCCESS" || keywords === "0x8020000000000000") return "success";
  if (keywords === "AUDIT_FAILURE" || keywords === "0x8010000000000000") return "failure";
  return text;
}

// A Map, because a word such as `constructor` would find a member of every object.
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
