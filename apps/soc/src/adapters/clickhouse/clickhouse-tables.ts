import type { LogEvent } from "../../ports/log-event.ts";
import { INDEXED_TEXT } from "../../ports/log-store.ts";

/** Logs that were stored before this column existed count as logs with their own time. */
const ORIGIN_COLUMN = "timestamp_origin LowCardinality(String) DEFAULT 'event'";

const COLUMNS = `
  id String,
  timestamp DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  ingested_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  site LowCardinality(String),
  source LowCardinality(String),
  host LowCardinality(String),
  severity Enum8('info' = 1, 'low' = 2, 'medium' = 3, 'high' = 4, 'critical' = 5),
  event_code LowCardinality(String),
  action LowCardinality(String),
  outcome LowCardinality(String),
  user String,
  src_ip String,
  dst_ip String,
  src_port UInt16,
  dst_port UInt16,
  process LowCardinality(String),
  message String CODEC(ZSTD(1)),
  raw String CODEC(ZSTD(1)),
  attributes JSON(max_dynamic_paths = 128),
  ${ORIGIN_COLUMN}`;

// Queries compare text exactly or by its lower case, so the index contains both. A `set` index, for columns with few
// values, answers any condition on them.
const eitherCase = (column: keyof LogEvent) =>
  `INDEX logs_${column}_idx (${column}, lowerUTF8(${column})) TYPE bloom_filter(0.01) GRANULARITY 1`;

// Events arrive with old and wrong dates, so a day's partition does not bound their timestamps, but a minmax index
// does. The text index lowers the case in its expression. In a preprocessor of the index, the lower case would be lost
// whenever the engine answers without the index, and word search would become case-sensitive. One index over message
// and raw event takes a third of the space of two.
const TEXT_INDEX = `logs_text_idx ${INDEXED_TEXT} TYPE text(tokenizer = 'splitByNonAlpha')`;

const INDEXES = `
  INDEX logs_timestamp_idx timestamp TYPE minmax GRANULARITY 1,
  INDEX logs_ingested_at_idx ingested_at TYPE minmax GRANULARITY 1,
  INDEX ${TEXT_INDEX},
  INDEX logs_source_idx source TYPE set(256) GRANULARITY 1,
  INDEX logs_severity_idx severity TYPE set(8) GRANULARITY 1,
  INDEX logs_id_idx id TYPE bloom_filter(0.01) GRANULARITY 1,
  ${(["host", "user", "src_ip", "dst_ip"] as const).map(eitherCase).join(",\n  ")}`;

// The counts belong to the part that they count: unlike a materialized view they cannot count a repeated batch twice,
// and they expire together with their logs.
const PROJECTIONS = `
  PROJECTION logs_counts (
    SELECT source, severity, toStartOfHour(ingested_at), count(), min(timestamp), max(timestamp)
    GROUP BY source, severity, toStartOfHour(ingested_at)
  )`;

const BODY = `(${COLUMNS},${INDEXES},${PROJECTIONS}\n)`;

const ORDER = `
PARTITION BY toYYYYMMDD(ingested_at)
ORDER BY (site, source, timestamp, id)`;

const keys = (retentionDays: number) => `${ORDER}
TTL ${timeToLive(retentionDays)}`;

/** Formatted exactly as the engine prints it, so that a changed retention can be detected. */
function timeToLive(retentionDays: number): string {
  // Not toDateTime(), as is common: it ends in 2106, and a later sum wraps into the past, where every log expires.
  return `ingested_at + toIntervalDay(${retentionDays})`;
}

interface StoredTable {
  cluster: string | undefined;
  retentionDays: number;
}

const onCluster = (cluster: string | undefined) => (cluster === undefined ? "" : ` ON CLUSTER '${cluster}'`);

/** Returns the changes that a table of an older release needs, given the statement that created it. */
export function buildTableChanges(made: string, { cluster, retentionDays }: StoredTable): string[] {
  if (made === "") return [];
  const lived = timeToLive(retentionDays);
  const changes = [
    ...(made.includes("timestamp_origin") ? [] : [`ADD COLUMN IF NOT EXISTS ${ORIGIN_COLUMN}`]),
    // Logs that are already stored are found without the index, which takes longer, until they expire.
    ...(made.includes("logs_text_idx") ? [] : [`ADD INDEX IF NOT EXISTS ${TEXT_INDEX}`]),
    ...(made.includes("logs_message_idx") ? ["DROP INDEX IF EXISTS logs_message_idx"] : []),
    ...(made.includes(lived) ? [] : [`MODIFY TTL ${lived}`]),
  ];
  return changes.map((change) => `ALTER TABLE logs${onCluster(cluster)} ${change}`);
}

/** The identity of the store, which it keeps as long as its logs. */
const IDENTITY = "store_identity";
export const CREATE_IDENTITY = `INSERT INTO ${IDENTITY} SELECT toString(generateUUIDv4()) WHERE (SELECT count() FROM ${IDENTITY}) = 0`;
/** Two processes that migrate a new store at the same time may both create one. */
export const READ_IDENTITY = `SELECT identity FROM ${IDENTITY} ORDER BY identity`;

/** The table on a single machine. A batch and its token are on disk before the insert is acknowledged. */
export function boxTables(retentionDays: number): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS logs ${BODY} ENGINE = MergeTree${keys(retentionDays)}
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1`,
    `CREATE TABLE IF NOT EXISTS ${IDENTITY} (identity String) ENGINE = MergeTree ORDER BY identity`,
  ];
}

/**
 * The table of one store whose replicas all contain all of its logs. A cluster of several shards is not one store: a
 * batch would be split over them, and a part of it could be found although another part was never stored.
 */
export function clusterTables(retentionDays: number, cluster: string): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS logs${onCluster(cluster)} ${BODY}
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/logs', '{replica}')${keys(retentionDays)}
SETTINGS ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1`,
    `CREATE TABLE IF NOT EXISTS ${IDENTITY}${onCluster(cluster)} (identity String)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/${IDENTITY}', '{replica}') ORDER BY identity`,
  ];
}

/** The same in every bucket: it is the folder of the table there, under which the next log engine finds it. */
const BUCKET_TABLE = "0199a9c4-01d0-7000-8000-0000000da715";

/**
 * The table of old days in a bucket. Each part is written once, as on the machine, and never merged, because that would
 * read and write the bucket. Days are deleted by name.
 */
export function bucketTable(disk: string): string {
  return `ATTACH TABLE IF NOT EXISTS logs UUID '${BUCKET_TABLE}' ${BODY} ENGINE = MergeTree${ORDER}
SETTINGS disk = '${disk}', max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1`;
}
