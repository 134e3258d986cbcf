import type { ClickHouseClient } from "@clickhouse/client";
import { Problem } from "@kit/problem";

/**
 * The first release whose text index is not experimental
 * (https://clickhouse.com/docs/guides/developer/full-text-search).
 */
const MIN_VERSION = [26, 2] as const;
const VARIABLE = "SOC_LOG_STORE";
const CLUSTER_VARIABLE = "SOC_LOG_CLUSTER";

/** Throws if the server lacks a feature that the table or the searches need. */
export async function requireVersion(client: ClickHouseClient): Promise<void> {
  const [{ version } = { version: "" }] = await ask<{ version: string }>(client, "SELECT version() AS version");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  throw refuse(VARIABLE, `ClickHouse ${version} is too old; ${MIN_VERSION.join(".")} or newer is required`);
}

/**
 * Returns how many replicas an insert must reach: all of them. With a majority, which the engine calls `auto`, a rule
 * could read a replica that does not have the logs of a closed window yet.
 */
export async function countReplicas(client: ClickHouseClient, cluster: string): Promise<number> {
  const sql =
    "SELECT uniqExact(shard_num) AS shards, count() AS replicas FROM system.clusters WHERE cluster = {cluster:String}";
  const [{ shards, replicas } = { shards: 0, replicas: 0 }] = await ask<{ shards: number; replicas: number }>(
    client,
    sql,
    { cluster },
  );
  if (replicas === 0) throw refuse(CLUSTER_VARIABLE, `the log store has no cluster '${cluster}'`);
  if (shards > 1) {
    throw refuse(CLUSTER_VARIABLE, `cluster '${cluster}' has ${shards} shards; name each in ${VARIABLE} instead`);
  }
  return replicas;
}

function refuse(variable: string, why: string): Problem {
  return new Problem("unavailable", `${variable}: ${why}`, { field: variable });
}

async function ask<Row>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, string> = {},
): Promise<Row[]> {
  const clickhouse_settings = { output_format_json_quote_64bit_integers: 0 } as const;
  return (await client.query({ query, query_params, format: "JSONEachRow", clickhouse_settings })).json<Row>();
}
