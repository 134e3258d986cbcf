import type { Agent } from "node:http";
import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import { invalidField, Problem } from "@kit/problem";
import type { LogLane } from "../../ports/log-store.ts";
import { refusing } from "./clickhouse-problems.ts";
import type { ReadingLimits } from "./clickhouse-reading.ts";
import { createReads, NOT_AFTER_HEADER } from "./clickhouse-reads.ts";
import { encodeRows } from "./clickhouse-rows.ts";
import { countReplicas, requireVersion } from "./clickhouse-server.ts";
import { boxTables, buildTableChanges, CREATE_IDENTITY, clusterTables, READ_IDENTITY } from "./clickhouse-tables.ts";
import type { MemberReads, MemberStore } from "./member.ts";
import type { RecentLogs } from "./recent-logs.ts";

export interface ClickhouseLogStoreDeps {
  /** `http(s)://user:password@host:port/database`, or the URL of the log engine with its agent. */
  url: string;
  agent?: Agent;
  /** The name of the cluster whose replicas all hold the logs; if omitted, there is one server. */
  cluster?: string;
  retentionDays: number;
  /** If omitted, every read of new logs queries the engine. */
  recent?: RecentLogs;
  limits?: Partial<LogStoreLimits>;
}

export interface LogStoreLimits extends ReadingLimits {
  searchSeconds: number;
  /** An insert in progress holds back the watermark, and with it the rules of all machines. */
  insertSeconds: number;
  memoryBytes: number;
  rowsToRead: number;
}

const LIMITS: LogStoreLimits = {
  searchSeconds: 20,
  insertSeconds: 30,
  memoryBytes: 2 * 1024 ** 3,
  rowsToRead: 5_000_000_000,
  readLogs: 10_000,
  readInstants: 100_000,
};
const NAME = "log store";
const RETENTION_DAYS = 36_500;
const BATCH_ROWS = 50_000;
const BATCH_BYTES = 128 * 1024 * 1024;
const REQUEST_MARGIN_MS = 5000;
// The time limit of schema changes.
const COMMAND_SECONDS = 60;

const INSERT_SETTINGS: ClickHouseSettings = {
  // On by default since 26.3: it acknowledges under a different rule and merges batches that have their own tokens.
  async_insert: 0,
  // Each batch is one block, however it is parsed. If the engine split it, each block would get a token with its own
  // number, and a repeated batch that is split elsewhere would lose or duplicate rows.
  min_insert_block_size_bytes: "0",
  max_insert_threads: "1",
  // Text that looks like a date stays text.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  // In a list of booleans and numbers, true stays true: a rule in memory does not read it as 1.
  input_format_json_read_bools_as_numbers: 0,
  date_time_input_format: "best_effort",
  // {"a.b": 1, "a": {"b": 2}} names one path twice; the engine keeps the first, and `raw` contains the original.
  type_json_skip_duplicated_paths: 1,
};

/**
 * The log store through ClickHouse's official client: on a single machine it connects to the log engine's process,
 * otherwise to a cluster.
 */
export function createClickhouseLogStore(deps: ClickhouseLogStoreDeps): MemberStore {
  const { url, agent, cluster, retentionDays, recent } = deps;
  if (!Number.isInteger(retentionDays) || retentionDays < 1 || retentionDays > RETENTION_DAYS) {
    throw invalidField("retention", `must be an integer from 1 to ${RETENTION_DAYS} days`);
  }
  const limits = { ...LIMITS, ...deps.limits };
  const open = (answerSeconds: number) =>
    createClient({
      url,
      // The engine's process never closes an idle connection. If idle connections expired here, each client of a shared
      // agent would close connections that another client is using.
      ...(agent && { http_agent: agent, keep_alive: { enabled: true, idle_socket_ttl: 0 } }),
      request_timeout: answerSeconds * 1000 + REQUEST_MARGIN_MS,
      application: "manara-soc",
      log: { level: ClickHouseLogLevel.OFF },
    });
  const client = open(Math.max(limits.searchSeconds, COMMAND_SECONDS));
  const inserting = open(limits.insertSeconds);
  const insertSettings: ClickHouseSettings = {
    ...INSERT_SETTINGS,
    max_execution_time: limits.insertSeconds,
  };
  let replicas: number | undefined;

  async function quorumSettings(): Promise<ClickHouseSettings> {
    if (cluster === undefined) return {};
    replicas ??= await countReplicas(client, cluster);
    return { insert_quorum: String(replicas), insert_quorum_timeout: limits.insertSeconds * 1000 };
  }

  const readSettings: ClickHouseSettings = {
    max_execution_time: limits.searchSeconds,
    max_memory_usage: String(limits.memoryBytes),
    max_rows_to_read: String(limits.rowsToRead),
  };

  const readsOn = (lane: LogLane) => createReads({ client, lane, settings: readSettings, cluster, recent, limits });
  const reads: Record<LogLane, MemberReads> = {
    people: readsOn("people"),
    previews: readsOn("previews"),
    rules: readsOn("rules"),
    stream: readsOn("stream"),
  };

  let isNewEnough = false;

  async function isAvailable(): Promise<boolean> {
    if (!(await client.ping()).success) return false;
    isNewEnough ||= await requireVersion(client).then(
      () => true,
      () => false,
    );
    return isNewEnough;
  }

  return {
    ...reads.people,
    lane: (lane) => reads[lane],
    migrate: () => refusing("other", undefined, () => migrate(client, { cluster, retentionDays })),

    identify: () =>
      refusing("other", undefined, async () => {
        const answer = await client.query({ query: READ_IDENTITY, format: "JSONEachRow" });
        const rows = await answer.json<{ identity: string }>();
        // A replica that lags behind has none yet.
        if (rows.length === 0) throw new Problem("unavailable", "the log store has no identity yet");
        return rows.map(({ identity }) => identity);
      }),

    async insert(batch, { token, partition, notAfter }) {
      if (batch.length === 0) return;
      if (batch.length > BATCH_ROWS) throw invalidField("batch", `has more than ${BATCH_ROWS} logs`);
      const values = encodeRows(batch);
      if (values.length > BATCH_BYTES) throw invalidField("batch", `has more than ${BATCH_BYTES} bytes`);
      await refusing("insert", undefined, async () => {
        const { stream } = await inserting.exec({
          query: "INSERT INTO logs FORMAT JSONEachRow",
          values: Readable.from([values], { objectMode: false }),
          clickhouse_settings: { ...insertSettings, ...(await quorumSettings()), insert_deduplication_token: token },
          ...(notAfter && { http_headers: { [NOT_AFTER_HEADER]: notAfter.toISOString() } }),
        });
        await stream.resume().toArray();
      });
      // The owner of a partition evaluates what it stores, and reads nothing back.
      if (partition === undefined) await recent?.keep({ logs: batch, text: values, token });
    },

    isAvailable,
    state: async () => ({ stores: 1, missing: (await isAvailable()) ? [] : [NAME] }),

    async close() {
      await Promise.all([client.close(), inserting.close()]);
    },
  };
}

interface Migration {
  cluster: string | undefined;
  retentionDays: number;
}

async function migrate(client: ClickHouseClient, { cluster, retentionDays }: Migration): Promise<void> {
  await requireVersion(client);
  if (cluster !== undefined) await countReplicas(client, cluster);
  const statements = cluster === undefined ? boxTables(retentionDays) : clusterTables(retentionDays, cluster);
  for (const query of [...statements, CREATE_IDENTITY]) await client.command({ query });
  const answer = await client.query({
    query: "SELECT create_table_query AS made FROM system.tables WHERE database = currentDatabase() AND name = 'logs'",
    format: "JSONEachRow",
  });
  const [row] = await answer.json<{ made: string }>();
  for (const query of buildTableChanges(row?.made ?? "", { cluster, retentionDays })) {
    await client.command({ query });
  }
}
