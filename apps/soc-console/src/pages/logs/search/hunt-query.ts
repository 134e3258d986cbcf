import type { Log } from "./search-client.ts";

/** Everything but a plain word is quoted: then no character has a meaning in the query. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_./@-]*$/u;
const RESERVED = new Set(["AND", "OR", "NOT", "TO"]);

/** A value in the form that `field:value` accepts. */
export function quoteValue(value: string): string {
  if (PLAIN.test(value) && !RESERVED.has(value)) return value;
  return `"${value.replaceAll(/[\\"]/g, (sign) => `\\${sign}`)}"`;
}

/** A name in the form that precedes the colon. */
function quoteName(name: string): string {
  return name.replaceAll(/[\s\\"():*?[\]{}<>]/g, (sign) => `\\${sign}`);
}

export function formatTerm(field: string, value: string): string {
  return `${quoteName(field)}:${quoteValue(value)}`;
}

/**
 * The query narrowed to logs with the value, or without it. Terms with the same or the opposite meaning are replaced.
 */
export function narrowQuery(query: string, term: string, isExcluded: boolean): string {
  const wanted = isExcluded ? `NOT ${term}` : term;
  const text = query.trim();
  if (text === "") return wanted;
  // OR binds weaker than the new term, so it gets brackets. A term is removed only from a plain list of terms.
  if (hasOperator(text, ["OR"])) return `(${text}) ${wanted}`;
  if (hasOperator(text, ["AND"]) || /[()]/.test(withoutQuotes(text))) return `${text} ${wanted}`;
  const kept = (text.match(TERM) ?? []).filter((each) => each.replace(/^NOT\s+/, "") !== term);
  return [...kept, wanted].join(" ");
}

const TERM = /(?:NOT\s+)?(?:[^\s"]*"(?:\\.|[^"\\])*"|\S+)/g;

function withoutQuotes(query: string): string {
  return query.replaceAll(/"(?:\\.|[^"\\])*"/g, '""');
}

function hasOperator(query: string, operators: readonly string[]): boolean {
  return withoutQuotes(query)
    .split(/[\s()]+/)
    .some((word) => operators.includes(word));
}

/** The query narrowed to logs with any value of the field, or with none. */
export function existsTerm(field: string): string {
  return `${quoteName(field)}:*`;
}

export interface LogValue {
  /** `host`, or `attributes.process.pid`. */
  field: string;
  /** The values as query text, one per item of a list. */
  values: readonly string[];
}

const KNOWN_FIELDS = [
  "timestamp",
  "ingested_at",
  "source",
  "host",
  "user",
  "process",
  "action",
  "outcome",
  "event_code",
  "src_ip",
  "src_port",
  "dst_ip",
  "dst_port",
  "site",
  "severity",
  "message",
  "timestamp_origin",
  "id",
] as const satisfies readonly (keyof Log)[];

/** Every field of a log that has a value, with attributes by path. */
export function listValues(log: Log): LogValue[] {
  const known = KNOWN_FIELDS.flatMap((field) => {
    const value = log[field];
    return value === null || value === "" ? [] : [{ field, values: [String(value)] }];
  });
  return [...known, ...listAttributes("attributes", log.attributes)];
}

function listAttributes(path: string, value: unknown): LogValue[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) {
    const values = value.filter((item) => item !== null).map(toText);
    return values.length === 0 ? [] : [{ field: path, values }];
  }
  if (typeof value !== "object") return [{ field: path, values: [toText(value)] }];
  return Object.entries(value).flatMap(([name, item]) => listAttributes(`${path}.${name}`, item));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The text of a column for a log. */
export function readColumn(log: Log, column: string): string {
  if (!column.startsWith("attributes."))
    return toText(Object.entries(log).find(([name]) => name === column)?.[1] ?? "");
  const wanted = column.slice("attributes.".length);
  return readPath(log.attributes, wanted);
}

/** Attribute names may contain dots: try every prefix of the path. */
function readPath(value: unknown, path: string): string {
  if (typeof value !== "object" || value === null) return "";
  for (const [name, item] of Object.entries(value)) {
    const found =
      name === path ? showItem(item) : path.startsWith(`${name}.`) ? readPath(item, path.slice(name.length + 1)) : "";
    if (found !== "") return found;
  }
  return "";
}

function showItem(item: unknown): string {
  if (item === null) return "";
  const items: unknown[] = Array.isArray(item) ? item : [item];
  return items
    .filter((each) => each !== null)
    .map(toText)
    .join(", ");
}

const MAX_COLUMNS = 8;
const DEFAULT_COLUMNS = ["host", "message"];

/** The columns in the address, after severity and time. */
export function parseColumns(text: string | undefined): string[] {
  const columns = (text ?? "").split(",").filter((column) => column !== "" && column.length <= 200);
  return columns.length === 0 ? DEFAULT_COLUMNS : [...new Set(columns)].slice(0, MAX_COLUMNS);
}

/** Undefined for the default columns. */
export function formatColumns(columns: readonly string[]): string | undefined {
  const text = columns.join(",");
  return columns.length === 0 || text === DEFAULT_COLUMNS.join(",") ? undefined : text;
}

export function toggleColumn(columns: readonly string[], column: string): string[] {
  if (columns.includes(column)) return columns.filter((each) => each !== column);
  // The message stays last: it takes the remaining width.
  const at = columns.indexOf("message");
  return at < 0 ? [...columns, column] : columns.toSpliced(at, 0, column);
}

const MAX_HISTORY = 50;

/** Newest first, without duplicates. */
export function addToHistory(history: readonly string[], query: string): string[] {
  if (query.trim() === "") return [...history];
  return [query, ...history.filter((each) => each !== query)].slice(0, MAX_HISTORY);
}

export function parseHistory(stored: string | undefined): string[] {
  if (stored === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(stored);
    return Array.isArray(parsed) ? parsed.filter((each) => typeof each === "string").slice(0, MAX_HISTORY) : [];
  } catch {
    // The storage holds other data: start with an empty history.
    return [];
  }
}

/** The query of a saved hunt, with its other filters as terms. */
export function writeHuntQuery(hunt: {
  query: string;
  source: string | null;
  host: string | null;
  severity: string | null;
}): string {
  const filters = (["source", "host", "severity"] as const).flatMap((field) => {
    const value = hunt[field];
    return value === null ? [] : [formatTerm(field, value)];
  });
  return filters.reduce((query, term) => narrowQuery(query, term, false), hunt.query);
}

const GUIDS = [
  "ProcessGuid",
  "process_guid",
  "process.entity_id",
  "EventData.ProcessGuid",
  "winlog.event_data.ProcessGuid",
];
const PIDS = ["ProcessId", "process_id", "pid", "process.pid", "EventData.ProcessId", "winlog.event_data.ProcessId"];

/** The process of a log, by the field names of common sources. */
export function findProcess(log: Log): { pid?: string | undefined; guid?: string | undefined } {
  const read = (names: readonly string[]) =>
    names.map((name) => readPath(log.attributes, name)).find((text) => text !== "");
  const guid = read(GUIDS);
  if (guid !== undefined) return { guid };
  const pid = read(PIDS);
  return pid !== undefined && /^(0[xX][0-9a-fA-F]{1,16}|\d{1,20})$/.test(pid) ? { pid } : {};
}

export interface Neighbours {
  before: Log[];
  after: Log[];
  /** How many more logs were in the interval than the service returned. */
  isCut: boolean;
}

const AROUND_MS = 30_000;

/** The logs within 30 seconds before and after. */
export function selectNeighbours(
  { log, before, after }: { log: Log; before: Log[]; after: Log[] },
  limit: number,
): Neighbours {
  const at = Date.parse(log.timestamp);
  const isNear = (other: Log) => Math.abs(Date.parse(other.timestamp) - at) <= AROUND_MS;
  const near = { before: before.filter(isNear), after: after.filter(isNear) };
  return { ...near, isCut: near.before.length >= limit || near.after.length >= limit };
}
