import { invalidField } from "@kit/problem";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { LOG_COLUMNS } from "../../ports/log-event.ts";
import type { LogExport, LogPlace, LogSearch, LogSelection, LogWindow, SummaryColumns } from "../../ports/log-store.ts";

export interface Question {
  sql: string;
  parameters?: Readonly<Record<string, unknown>>;
}

/** Selects every log, for consumers that read all logs of all sites. */
export const EVERYTHING = { scope: ALL_SITES, where: { sql: "true", parameters: {} } } as const;

const PAGE_ROWS = 10_000;
const SKIP_ROWS = 100_000;
/** The engine sorts small pages well; for a large one it would read whole logs into memory before sorting them. */
const SMALL_PAGE_ROWS = 1000;
const EXPORT_ROWS = 10_000_000;
const SLICE_ROWS = 50_000;
const COUNT_ROWS = 1_000_000_000;
export const MAX_SOURCES = 1000;

const ORDERS = {
  newest: { direction: "DESC", beyond: "<", within: ">=", last: "min" },
  oldest: { direction: "ASC", beyond: ">", within: "<=", last: "max" },
} as const;

const instant = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;

/** The single place that separates restricted callers from the logs of other sites. Every query of logs uses it. */
function buildWhere({ scope, where, time, from, to }: LogSelection) {
  const [fromMs, toMs] = [from.getTime(), to.getTime()];
  if (!(fromMs < toMs)) throw invalidField("from", "must be earlier than to");
  const own = Object.keys(where.parameters).find((name) => name.startsWith("store_"));
  if (own !== undefined) throw new Error(`the parameter ${own} uses the reserved prefix store_`);
  const sites = buildSites(scope);
  const sql = `${sites.sql}${time} >= ${instant("store_from")} AND ${time} < ${instant("store_to")} AND (${where.sql})`;
  return { sql, parameters: { ...where.parameters, ...sites.parameters, store_from: fromMs, store_to: toMs } };
}

/** Qualified with the table name, so that an alias in the query cannot replace the column. */
function buildSites(scope: Scope): Question {
  if (scope === ALL_SITES) return { sql: "", parameters: {} };
  if (scope.length === 0) return { sql: "false AND ", parameters: {} };
  return { sql: "logs.site IN {store_sites:Array(String)} AND ", parameters: { store_sites: [...scope] } };
}

export function buildSearchQuestion({ order, limit, skip = 0, after, ...selection }: LogSearch): Question {
  const { time } = selection;
  const { direction, within, last } = ORDERS[order];
  const condition = buildWhere(selection);
  const found = `${condition.sql}${buildPlace(after, time, order)}`;
  const times = buildTimes(time, found, order, "{store_limit:UInt32} + {store_skip:UInt32}");
  // The time of the last log of the page, found by the times alone.
  const end = limit > SMALL_PAGE_ROWS ? ` AND ${time} ${within} (SELECT ${last}(time) FROM (${times}))` : "";
  return {
    sql: `SELECT ${LOG_COLUMNS.join(", ")} FROM logs WHERE ${found}${end}
ORDER BY ${time} ${direction}, id ${direction} LIMIT {store_limit:UInt32} OFFSET {store_skip:UInt32}`,
    parameters: {
      ...condition.parameters,
      ...(after && toPlaceParameters(after, time)),
      store_limit: bounded("limit", limit, 1, PAGE_ROWS),
      store_skip: bounded("skip", skip, 0, SKIP_ROWS),
    },
  };
}

/** Selects only the places of the logs that a search skips and returns. */
export function buildPlacesQuestion({ order, limit, skip = 0, after, ...selection }: LogSearch): Question {
  const { time } = selection;
  const { direction } = ORDERS[order];
  const condition = buildWhere(selection);
  return {
    sql: `SELECT id, timestamp, ingested_at FROM logs WHERE ${condition.sql}${buildPlace(after, time, order)}
ORDER BY ${time} ${direction}, id ${direction} LIMIT {store_limit:UInt32}`,
    parameters: {
      ...condition.parameters,
      ...(after && toPlaceParameters(after, time)),
      store_limit: bounded("limit", limit, 1, PAGE_ROWS) + bounded("skip", skip, 0, SKIP_ROWS),
    },
  };
}

function buildPlace(after: LogPlace | undefined, time: LogSelection["time"], order: keyof typeof ORDERS): string {
  if (!after) return "";
  return ` AND (${time}, id) ${ORDERS[order].beyond} (${instant("store_after")}, {store_after_id:String})`;
}

/** Selects only the times of the first logs. */
function buildTimes(time: LogSelection["time"], where: string, order: keyof typeof ORDERS, limit: string): string {
  return `SELECT ${time} AS time FROM logs WHERE ${where}
ORDER BY time ${ORDERS[order].direction} LIMIT ${limit}`;
}

function toPlaceParameters(after: LogPlace, time: LogSelection["time"]) {
  const ms = Date.parse(after[time]);
  if (Number.isNaN(ms)) throw invalidField("cursor", "is not one that this list gave");
  return { store_after: ms, store_after_id: after.id };
}

/** Selects instants, earliest first, that split the logs of an export into slices of about equal size. */
export function buildCutsQuestion({ order, limit, ...selection }: LogExport): Question {
  const condition = buildWhere(selection);
  const times = buildTimes(selection.time, condition.sql, order, "{store_limit:UInt32}");
  return {
    sql: `SELECT DISTINCT toUnixTimestamp64Milli(time) AS cut FROM (SELECT time, rowNumberInAllBlocks() AS row FROM (${times}))
WHERE row > 0 AND row % ${SLICE_ROWS} = 0 ORDER BY cut`,
    parameters: { ...condition.parameters, store_limit: bounded("limit", limit, 1, EXPORT_ROWS) },
  };
}

export function buildCountQuestion(selection: LogSelection, maxCount: number): Question {
  const condition = buildWhere(selection);
  return {
    sql: `SELECT count() AS found FROM (SELECT 1 FROM logs WHERE ${condition.sql} LIMIT {store_limit:UInt32})`,
    parameters: { ...condition.parameters, store_limit: bounded("atMost", maxCount, 1, COUNT_ROWS) },
  };
}

export function buildSummaryQuestion({ columns, groups = "", ...selection }: LogSelection & SummaryColumns): Question {
  const condition = buildWhere(selection);
  return {
    sql: `SELECT ${columns.sql} FROM logs WHERE ${condition.sql} ${groups}`,
    parameters: { ...columns.parameters, ...condition.parameters },
  };
}

/** Counts the logs that were ingested in each non-empty interval of this width, earliest first. */
export function buildIntervalsQuestion(window: LogWindow, widthMs: number): Question {
  const condition = buildWhere({ ...window, ...EVERYTHING, time: "ingested_at" });
  return {
    sql: `SELECT intDiv(toUnixTimestamp64Milli(ingested_at), {store_width:UInt32}) * {store_width:UInt32} AS at, count() AS logs
FROM logs WHERE ${condition.sql} GROUP BY at ORDER BY at`,
    parameters: { ...condition.parameters, store_width: widthMs },
  };
}

function bounded(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidField(field, `must be an integer from ${min} to ${max}`);
}

// The table's projection answers BY_SEVERITY, BY_SOURCE and the sources; its size does not grow with the number of
// logs.
export const BY_SEVERITY = "SELECT severity, count() AS events FROM logs GROUP BY severity";

export const BY_SOURCE = `SELECT source, count() AS events FROM logs GROUP BY source ORDER BY events DESC, source LIMIT ${MAX_SOURCES}`;

export const buildSourcesQuestion = (limit: number, where = ""): Question => ({
  sql: `SELECT source, count() AS events, min(timestamp) AS first_seen, max(timestamp) AS last_seen
FROM logs ${where} GROUP BY source ORDER BY events DESC, source LIMIT ${limit}`,
});

export const RECENT = `SELECT count() AS day, countIf(ingested_at >= ${instant("store_minute")}) AS minute FROM logs
WHERE ingested_at >= ${instant("store_day")} AND ingested_at <= ${instant("store_now")}`;

/**
 * The fresh logs of the last minutes: an import of old logs must not determine the lag, and a log without its own time
 * has none.
 */
const FRESH = `FROM logs WHERE ingested_at >= ${instant("store_lag")} AND ingested_at <= ${instant("store_now")}
AND timestamp >= ingested_at - INTERVAL 1 DAY AND timestamp_origin = 'event'`;
const LAG_MS = "dateDiff('millisecond', timestamp, ingested_at)";

export const LAG = `SELECT median(${LAG_MS}) / 1000 AS seconds ${FRESH}`;

/**
 * The number of logs per lag. Beyond the limit it is a sample; the median of one store is the lag of one of its logs.
 */
export const LAGS = `SELECT ${LAG_MS} AS ms, count() AS logs ${FRESH} GROUP BY ms LIMIT 100000`;

export function buildStorageQuestion(cluster: string | undefined): string {
  const parts = cluster === undefined ? "system.parts" : `clusterAllReplicas('${cluster}', system.parts)`;
  return `SELECT sum(bytes_on_disk) AS bytes FROM ${parts} WHERE active AND table = 'logs'`;
}
