import type { RawInsertFormat } from "chdb";

/** One parsed request of ClickHouse's HTTP interface. */
export type EngineRequest =
  | { kind: "select"; sql: string; format: string; parameters: Readonly<Record<string, unknown>> }
  | { kind: "insert"; insert: EngineInsert }
  /** A statement that changes or describes tables: it has no parameters and no settings. */
  | { kind: "command"; sql: string; format: string };

export interface EngineInsert {
  table: string;
  format: RawInsertFormat;
  settings: Record<string, string>;
  columns?: string[];
}

/** An error in ClickHouse's format, so that its client finds the code. */
export class EngineRefusal extends Error {
  constructor(code: number, type: string, why: string) {
    super(`Code: ${code}. DB::Exception: ${why}. (${type})`);
    this.name = "EngineRefusal";
  }
}

// Parameters that concern HTTP and not the engine, or that are handled separately.
const NOT_SETTINGS = new Set(["query", "query_id", "database", "default_format", "wait_end_of_query"]);
const ABOUT_HTTP = /^(enable_http_compression|send_progress_in_http_headers|http_.*)$/;
const NAME = /^[a-z][a-z0-9_]*$/;
// Formats without a header or footer. The engine streams chunks and formats each as if it were the whole result, so a
// header or footer would be repeated in the middle.
const ROW_FORMATS = /^(JSONEachRow|JSONCompactEachRow|RowBinary|CSV|TabSeparated|TSV)$/;
const FORMAT_AT_END = /\bFORMAT\s+([A-Za-z]+)\s*;?\s*$/i;
const SELECT = /^\s*(?:\(\s*)*(?:SELECT|WITH)\b/i;
const INSERT =
  /^\s*INSERT\s+INTO\s+([A-Za-z_][\w.]*)\s*(?:\(([\w\s,"`]+)\)\s*)?FORMAT\s+(JSONEachRow|JSONCompactEachRow|TabSeparated|CSV)\s*$/i;
const INSERT_FORMATS: Readonly<Record<string, RawInsertFormat>> = {
  jsoneachrow: "JSONEachRow",
  jsoncompacteachrow: "JSONCompactEachRow",
  tabseparated: "TabSeparated",
  csv: "CSV",
};

/** The statement of an insert is in the URL, and its rows are the body; every other statement is the body. */
export function readStatement(search: URLSearchParams, body: () => string): string {
  return search.get("query") ?? body();
}

/** The limits that the engine enforces on each SELECT. */
export interface SelectBounds {
  /** Identifies the SELECT inside the engine, so that it can be found and killed. */
  tag: string;
  /** A query that needs more is refused; one that sorts or groups continues on disk before it reaches the limit. */
  memoryBytes: number;
}

export function parseEngineRequest(search: URLSearchParams, statement: string, bounds: SelectBounds): EngineRequest {
  const settings = readSettings(search);
  const insert = INSERT.exec(statement);
  if (insert) return { kind: "insert", insert: { ...parseInsert(insert), settings } };
  if (/\bINTO\s+OUTFILE\b/i.test(statement)) throw new EngineRefusal(36, "BAD_ARGUMENTS", "INTO OUTFILE is not served");
  const format = FORMAT_AT_END.exec(statement)?.[1] ?? search.get("default_format") ?? "TabSeparated";
  const sql = statement.replace(FORMAT_AT_END, "");
  const parameters = parseParameters(search, sql);
  if (SELECT.test(sql)) {
    if (!ROW_FORMATS.test(format)) {
      throw new EngineRefusal(73, "UNKNOWN_FORMAT", `Format ${format} is not served for a SELECT; use JSONEachRow`);
    }
    // Never a SET, which would outlast the query. Read-only, because a SELECT could otherwise read files of the
    // machine.
    const all = { ...settings, ...limitMemory(settings, bounds), log_comment: bounds.tag, readonly: "1" };
    const clause = Object.entries(all).map(([name, value]) => `${name}=${literal(value)}`);
    return { kind: "select", sql: `${sql}\nFORMAT ${format}\nSETTINGS ${clause.join(", ")}`, format, parameters };
  }
  if (Object.keys(parameters).length > 0 || Object.keys(settings).length > 0) {
    throw new EngineRefusal(36, "BAD_ARGUMENTS", "This statement is served without parameters and settings only");
  }
  return { kind: "command", sql, format };
}

function limitMemory({ max_memory_usage: asked = "0" }: Record<string, string>, { memoryBytes }: SelectBounds) {
  // For the engine, 0 means no limit.
  const bytes = Math.min(Number(asked) || memoryBytes, memoryBytes);
  const onDiskFrom = String(Math.floor(bytes / 2));
  return {
    max_memory_usage: String(bytes),
    max_bytes_before_external_sort: onDiskFrom,
    max_bytes_before_external_group_by: onDiskFrom,
  };
}

function parseInsert([, table = "", columns, format = ""]: RegExpExecArray): Omit<EngineInsert, "settings"> {
  const known = INSERT_FORMATS[format.toLowerCase()] ?? "JSONEachRow";
  if (columns === undefined) return { table, format: known };
  return { table, format: known, columns: columns.split(",").map((column) => column.replaceAll(/[\s"`]/g, "")) };
}

function readSettings(search: URLSearchParams): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of search) {
    if (name.startsWith("param_") || NOT_SETTINGS.has(name) || ABOUT_HTTP.test(name)) continue;
    if (name === "session_id" || name === "role") {
      throw new EngineRefusal(36, "BAD_ARGUMENTS", `The parameter ${name} is not served`);
    }
    if (!NAME.test(name)) throw new EngineRefusal(115, "UNKNOWN_SETTING", "The name of a setting is invalid");
    settings[name] = value;
  }
  return settings;
}

function parseParameters(search: URLSearchParams, sql: string): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [key, value] of search) {
    if (!key.startsWith("param_")) continue;
    const name = key.slice("param_".length);
    parameters[name] = findType(sql, name).startsWith("Array(") ? parseList(value) : parseText(value);
  }
  return parameters;
}

function findType(sql: string, name: string): string {
  if (!/^\w+$/.test(name)) throw new EngineRefusal(36, "BAD_ARGUMENTS", "The name of a parameter is invalid");
  return new RegExp(`\\{\\s*${name}\\s*:\\s*([^}]+)\\}`).exec(sql)?.[1]?.trim() ?? "";
}

const ESCAPED: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f", 0: "\0" };

/** The client escapes a value as in a line of tab-separated text; the engine's binding escapes it again. */
function parseText(value: string): string | null {
  return value === "\\N" ? null : unescaped(value);
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPED[letter] ?? letter);
}

const LIST_ITEM = /'((?:[^'\\]|\\.)*)'|([^,'\s]+)/gsy;

/** A list as the client writes it: `['it\'s','b']`, `[1,2]`, `[TRUE,NULL]`. */
function parseList(value: string): unknown[] {
  const items: unknown[] = [];
  const inner = value.trim().replace(/^\[|\]$/g, "");
  let at = 0;
  while (at < inner.length) {
    LIST_ITEM.lastIndex = at;
    const match = LIST_ITEM.exec(inner);
    if (!match) throw new EngineRefusal(457, "BAD_QUERY_PARAMETER", "A list is malformed");
    items.push(match[1] === undefined ? parseBareValue(match[2] ?? "") : unescaped(match[1]));
    at = LIST_ITEM.lastIndex + 1;
  }
  return items;
}

function parseBareValue(word: string): unknown {
  if (word === "NULL") return null;
  if (word === "TRUE" || word === "FALSE") return word === "TRUE";
  const isWhole = /^-?\d+$/.test(word);
  if (isWhole) return BigInt(word);
  const number = Number(word);
  if (!Number.isFinite(number)) throw new EngineRefusal(457, "BAD_QUERY_PARAMETER", "A list item is not a number");
  return number;
}

function literal(value: string): string {
  return `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
}
