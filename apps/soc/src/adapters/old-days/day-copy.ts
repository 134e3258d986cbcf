import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClickHouseSettings } from "@clickhouse/client";
import { Problem } from "@kit/problem";
import { LOG_COLUMNS, type LogSeverity } from "../../ports/log-event.ts";
import type { LogSource } from "../../ports/log-store.ts";
import { buildSourcesQuestion, MAX_SOURCES } from "../clickhouse/clickhouse-questions.ts";
import { type EngineTasks, quote, toFile } from "../log-engine/engine-tasks.ts";
import { DAY_MS, type OldDay, toStartMs } from "./old-day.ts";

/** The engine of the machine and that of the bucket. */
export interface Engines {
  box: EngineTasks;
  bucket: EngineTasks;
}

export interface DayCopyDeps extends Engines {
  /** A folder on the machine, with room for one day. */
  through: string;
}

const LOGS_A_COMPARISON = 2_000_000;
const MAX_COMPARISONS = 288;
const SAMPLED_IDS = 1000;
/** Runs beside intake and searches: one core, and times in the format of responses. */
const SETTINGS: ClickHouseSettings = { max_threads: 1, date_time_output_format: "iso" };

/** Counts the logs of each day in a table of an engine. */
export async function listDays(engine: EngineTasks, table = "logs"): Promise<Map<number, number>> {
  const rows = await engine.select<{ day: string; logs: string }>(
    `SELECT partition_id AS day, sum(rows) AS logs FROM system.parts WHERE active AND table = '${table}' GROUP BY day`,
  );
  return new Map(rows.map(({ day, logs }) => [Number(day), Number(logs)]));
}

export async function deleteDay(engine: EngineTasks, day: number, table = "logs"): Promise<void> {
  await engine.command(`ALTER TABLE ${table} DROP PARTITION ID '${day}'`);
}

/**
 * Copies a day into the bucket by its files, and compares the logs there with those on the machine. Replaces what an
 * earlier attempt has left in the bucket, unless it has more logs than the machine.
 */
export async function copyDay(
  { box, bucket, through }: DayCopyDeps,
  day: number,
  signal: AbortSignal,
): Promise<Omit<OldDay, "moved_at" | "on_box">> {
  await requireSameColumns({ box, bucket });
  const logs = (await listDays(box)).get(day) ?? 0;
  const left = (await listDays(bucket)).get(day) ?? 0;
  if (left > logs) throw new Problem("failed", `day ${day} has ${left} logs in the bucket and ${logs} on this machine`);
  if (left > 0) await deleteDay(bucket, day);
  const folder = join(through, String(day));
  await mkdir(through, { recursive: true, mode: 0o700 });
  await rm(folder, { recursive: true, force: true });
  try {
    await box.copy(`BACKUP TABLE logs PARTITION ID '${day}' TO ${toFile(folder)}`, [], signal);
    // The definitions differ by their disk and by the end of the retention.
    const settings = ["allow_non_empty_tables = 1", "allow_different_table_def = 1"];
    await bucket.copy(`RESTORE TABLE logs FROM ${toFile(folder)}`, settings, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await requireSameLogs({ box, bucket }, { day, logs }, signal);
  return describeDay({ box, bucket }, { day, logs });
}

/** A column that one of the engines lacks would be lost in the copy, without an error. */
async function requireSameColumns({ box, bucket }: Engines): Promise<void> {
  const list = async (engine: EngineTasks) => {
    const rows = await engine.select<{ name: string; type: string }>(
      "SELECT name, type FROM system.columns WHERE table = 'logs' ORDER BY name",
    );
    return JSON.stringify(rows);
  };
  if ((await list(box)) !== (await list(bucket))) {
    throw new Problem("failed", "the table of old logs has other columns than that on this machine");
  }
}

interface DayCount {
  day: number;
  logs: number;
}

async function requireSameLogs({ box, bucket }: Engines, { day, logs }: DayCount, signal: AbortSignal): Promise<void> {
  const comparisons = Math.min(Math.max(Math.ceil(logs / LOGS_A_COMPARISON), 1), MAX_COMPARISONS);
  const startMs = toStartMs(day);
  const stepMs = Math.ceil(DAY_MS / comparisons);
  for (let fromMs = startMs; fromMs < startMs + DAY_MS; fromMs += stepMs) {
    signal.throwIfAborted();
    const toMs = Math.min(fromMs + stepMs, startMs + DAY_MS);
    const [onBox, inBucket] = [await digest(box, fromMs, toMs), await digest(bucket, fromMs, toMs)];
    if (onBox !== inBucket) throw new Problem("failed", `day ${day} differs in the bucket: ${inBucket}, not ${onBox}`);
  }
}

/** Whether the machine has logs of the day that the bucket also has, as after a restore, and not only late ones. */
export async function hasSameLogs({ box, bucket }: Engines, day: number): Promise<boolean> {
  const where = `WHERE toYYYYMMDD(ingested_at) = ${day}`;
  const sampled = await box.select<{ id: string }>(
    `SELECT id FROM logs ${where} ORDER BY cityHash64(id) LIMIT ${SAMPLED_IDS}`,
    SETTINGS,
  );
  const ids = sampled.map(({ id }) => quote(id)).join(", ");
  const [row] = await bucket.select<{ found: string }>(`SELECT count() AS found FROM logs ${where} AND id IN (${ids})`);
  return Number(row?.found) > 0;
}

/** The number of logs, and an order-independent sum over every field of each. */
async function digest(engine: EngineTasks, fromMs: number, toMs: number): Promise<string> {
  const columns = LOG_COLUMNS.map((name) => (name === "attributes" ? "toString(attributes)" : name)).join(", ");
  const instant = (ms: number) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`;
  const [row] = await engine.select<{ logs: string; digest: string }>(
    `SELECT count() AS logs, toString(sum(cityHash64(${columns}))) AS digest FROM logs
WHERE ingested_at >= ${instant(fromMs)} AND ingested_at < ${instant(toMs)}`,
    SETTINGS,
  );
  return `${row?.logs} logs with ${row?.digest}`;
}

async function describeDay({ box, bucket }: Engines, { day, logs }: DayCount) {
  const where = `WHERE toYYYYMMDD(ingested_at) = ${day}`;
  const [times] = await box.select<{ first: string; last: string }>(
    `SELECT min(timestamp) AS first, max(timestamp) AS last FROM logs ${where}`,
    SETTINGS,
  );
  const severities = await box.select<{ severity: LogSeverity; logs: string }>(
    `SELECT severity, count() AS logs FROM logs ${where} GROUP BY severity`,
    SETTINGS,
  );
  const sources = await box.select<Record<keyof LogSource, string>>(
    buildSourcesQuestion(MAX_SOURCES, where).sql,
    SETTINGS,
  );
  const [size] = await bucket.select<{ bytes: string }>(
    `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'logs' AND partition_id = '${day}'`,
  );
  if (!times || !size) throw new Error("the log engine returned no row");
  const by_severity: OldDay["by_severity"] = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const each of severities) by_severity[each.severity] = Number(each.logs);
  return {
    ...{ day, logs, bytes: Number(size.bytes), ...times },
    by_severity,
    sources: sources.map((each) => ({ ...each, events: Number(each.events) })),
  };
}
