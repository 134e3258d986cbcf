import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { type Question, searchOf } from "../../src/adapters/clickhouse-questions.ts";
import { rowsOf } from "../../src/adapters/clickhouse-rows.ts";
import { boxTables } from "../../src/adapters/clickhouse-tables.ts";
import type { Log } from "../../src/siem/log.ts";
import type { LogSearch } from "../../src/siem/log-store.ts";
import { sampleLog, startLogStore } from "../log-engine.ts";
import { startBareEngine } from "./bare-log-engine.ts";
import { figuresOf, inWords, time } from "./figures.ts";

const { BENCH_LOG_BATCHES = "3" } = process.env;
const batches = Number(BENCH_LOG_BATCHES);
const searches = batches >= 20 ? 30 : 3;
const ROWS = 10_000;
const HOURS = 3 * 60 * 60_000;
const START = Date.UTC(2026, 10, 15);
const SETTINGS = {
  async_insert: 0,
  min_insert_block_size_bytes: 0,
  max_insert_threads: 1,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  date_time_input_format: "best_effort",
  type_json_skip_duplicated_paths: 1,
};
const READ_SETTINGS =
  "SETTINGS date_time_output_format = 'iso', use_top_k_dynamic_filtering = 0, max_execution_time = 20";
const clock = createClock();

/** About 900 bytes, of which the engine sees words, hosts, users and attributes in the proportions of a domain's logs. */
function logAt(n: number): Log {
  const user = `user${(n * 7919) % 3000}`;
  const host = `host${n % 400}`;
  return sampleLog({
    id: `0190${n.toString(16).padStart(12, "0")}-7000-8000`,
    timestamp: new Date(START + n * 20).toISOString(),
    ingested_at: new Date(START + 60_000 + n * 20).toISOString(),
    source: ["windows", "linux", "firewall", "proxy"][n % 4] ?? "",
    host,
    severity: n % 50 === 0 ? "high" : "info",
    event_code: String(4600 + (n % 40)),
    user,
    src_ip: `10.${n % 7}.${n % 250}.${n % 240}`,
    message: `Logon ${n % 9 === 0 ? "FAILED" : "succeeded"} for ${user} on ${host} by session ${(n * 104_729) % 999_983}`,
    raw: JSON.stringify({ EventID: 4600 + (n % 40), user, host, text: "x".repeat(400) }),
    attributes: {
      pid: n % 30_000,
      exe: `C:\\Program Files\\app${n % 60}.exe`,
      logon: { type: n % 10, guid: `{${n}}` },
    },
  });
}

const day = { time: "timestamp" as const, from: new Date(START), to: new Date(START + 24 * 60 * 60_000) };
const page = { order: "newest" as const, limit: 50 };
const SEARCHES: Readonly<Record<string, (turn: number) => LogSearch>> = {
  "two words": (turn) => {
    const words = `failed user${(turn * 9) % 3000}`;
    return { ...day, ...page, where: { sql: "hasAllTokens(lower(message), {words:String})", parameters: { words } } };
  },
  "a minute, a severity and a host": (turn) => {
    const where = {
      sql: "severity = 'high' AND host = {host:String}",
      parameters: { host: `host${(turn * 50) % 400}` },
    };
    return { ...day, ...page, where, to: new Date(START + 60_000) };
  },
  "the newest page": () => ({ ...day, ...page, where: { sql: "true", parameters: {} } }),
};

it("costs little more than the bare engine", { timeout: HOURS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-logs-"));
  const { store, stop } = await startLogStore();
  const bare = startBareEngine(join(folder, "bare"));
  const report: string[] = [];
  try {
    for (const sql of boxTables(90)) await bare.ask({ kind: "run", sql });
    const inserts: Record<"store" | "bare" | "text", number[]> = { store: [], bare: [], text: [] };
    for (let batch = 0; batch < batches; batch += 1) {
      const logs = Array.from({ length: ROWS }, (_, n) => logAt(batch * ROWS + n));
      const path = join(folder, "batch.ndjson");
      inserts.text.push(...(await time(clock, [async () => rowsOf(logs)])));
      writeFileSync(path, rowsOf(logs));
      const settings = { ...SETTINGS, insert_deduplication_token: `batch-${batch}` };
      // Turn by turn, so that whatever else the machine does falls on both.
      inserts.bare.push((await bare.ask({ kind: "insert", path, settings })).ms);
      inserts.store.push(...(await time(clock, [() => store.insert(logs, { token: `batch-${batch}` })])));
    }
    report.push(
      `Node ${process.version}, ${batches} batches of ${ROWS} logs`,
      "",
      "| ms: p50 / p95 / max | store | bare | ratio of medians | of the fastest |",
      "|---|---|---|---|---|",
    );
    report.push(rowOfReport("insert 10,000 logs", inserts.store, inserts.bare));
    report.push(`| making their text, part of the store's | ${inWords(figuresOf(inserts.text))} | | | |`);
    for (const [name, searchAt] of Object.entries(SEARCHES)) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let turn = 0; turn < searches; turn += 1) {
        const { sql, parameters = {} }: Question = searchOf(searchAt(turn));
        theirs.push((await bare.ask({ kind: "select", sql: `${sql} ${READ_SETTINGS}`, parameters })).ms);
        ours.push(...(await time(clock, [() => store.search(searchAt(turn))])));
      }
      report.push(rowOfReport(`search: ${name}`, ours, theirs));
    }
    expect(await store.count({ ...day, where: { sql: "true", parameters: {} } }, 1_000_000_000)).toBe(batches * ROWS);
  } finally {
    await bare.stop();
    await stop();
    rmSync(folder, { recursive: true });
  }
  console.log(report.join("\n"));
});

function rowOfReport(name: string, ours: readonly number[], theirs: readonly number[]): string {
  const [a, b] = [figuresOf(ours), figuresOf(theirs)];
  const fastest = Math.min(...ours) / Math.min(...theirs);
  return `| ${name} | ${inWords(a)} | ${inWords(b)} | ${(a.p50 / b.p50).toFixed(2)} | ${fastest.toFixed(2)} |`;
}
