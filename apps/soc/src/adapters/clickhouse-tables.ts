import type { LogEvent } from "../logs/search/log.ts";

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
  attributes JSON(max_dynamic_paths = 128)`;

// Text is asked for as it stands or, without regard to case, by its lower case: an index has both. A set, which is for
// few values, answers any question about them.
const eitherCase = (column: keyof LogEvent) =>
  `INDEX logs_${column}_idx (${column}, lowerUTF8(${column})) TYPE bloom_filter(0.01) GRANULARITY 1`;

// Events come with old and wrong dates, so a day's partition says nothing about their own time: that is an index.
// The message's index has the lower case in its expression. Left to a preprocessor of the index, it would be lost
// whenever the engine chooses to answer without the index, and words would then be compared with regard to case.
const INDEXES = `
  INDEX logs_timestamp_idx timestamp TYPE minmax GRANULARITY 1,
  INDEX logs_ingested_at_idx ingested_at TYPE minmax GRANULARITY 1,
  INDEX logs_message_idx lower(message) TYPE text(tokenizer = 'splitByNonAlpha'),
  INDEX logs_source_idx source TYPE set(256) GRANULARITY 1,
  INDEX logs_severity_idx severity TYPE set(8) GRANULARITY 1,
  INDEX logs_id_idx id TYPE bloom_filter(0.01) GRANULARITY 1,
  ${(["host", "user", "src_ip", "dst_ip"] as const).map(eitherCase).join(",\n  ")}`;

// Counts by source belong to the part that they count: unlike a view they cannot count a repeated batch twice, and
// they leave with the logs that expire.
const PROJECTIONS = `
  PROJECTION logs_counts (
    SELECT source, severity, toStartOfHour(ingested_at), count(), min(timestamp), max(timestamp)
    GROUP BY source, severity, toStartOfHour(ingested_at)
  )`;

const BODY = `(${COLUMNS},${INDEXES},${PROJECTIONS}\n)`;

const keys = (retentionDays: number) => `
PARTITION BY toYYYYMMDD(ingested_at)
ORDER BY (site, source, timestamp, id)
TTL ${timeToLive(retentionDays)}`;

/** Also what the engine shows of it, so that a changed retention can be told. */
export function timeToLive(retentionDays: number): string {
  // Not toDateTime(), as often seen: it ends in 2106, and a sum beyond that is in the past, where every log expires.
  return `ingested_at + toIntervalDay(${retentionDays})`;
}

/** The table on one box. A batch is on the disk, and its token remembered, before it is acknowledged. */
export function boxTables(retentionDays: number): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS logs ${BODY} ENGINE = MergeTree${keys(retentionDays)}
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1`,
  ];
}

/**
 * The tables of a cluster: each shard keeps its logs in replicas, and `logs` stands for all of them. Rows go to a shard
 * by their id, so that a repeated batch meets the same shards and the tokens that they remember.
 */
export function clusterTables(retentionDays: number, cluster: string): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS logs_local ON CLUSTER '${cluster}' ${BODY}
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/logs_local', '{replica}')${keys(retentionDays)}
SETTINGS ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1`,
    `CREATE TABLE IF NOT EXISTS logs ON CLUSTER '${cluster}' AS logs_local
ENGINE = Distributed('${cluster}', currentDatabase(), 'logs_local', cityHash64(id))`,
  ];
}
