import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { encodeRows } from "../../src/adapters/clickhouse/clickhouse-rows.ts";
import { boxTables } from "../../src/adapters/clickhouse/clickhouse-tables.ts";
import { ALL_SITES } from "../../src/foundation/caller/caller.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import { sampleLog, startLogStore } from "../servers/log-engine.ts";
import { startBareEngine } from "./bare-log-engine.ts";
import { computeFigures, inWords, print, time } from "./figures.ts";
import { INSERT_SETTINGS } from "./insert-settings.ts";

const { BENCH_LOG_BATCHES = "3" } = process.env;
const batches = Number(BENCH_LOG_BATCHES);
const ROWS = 10_000;
const HOURS = 3 * 60 * 60_000;
const START = Date.UTC(2026, 10, 15);
const DAY = { time: "timestamp", from: new Date(START), to: new Date(START + 24 * 60 * 60_000) } as const;
const clock = createClock();

/** About 900 bytes, with words, hosts, users and attributes distributed as in the logs of a Windows domain. */
function logAt(n: number): LogEvent {
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

it("costs little more than the bare engine", { timeout: HOURS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-logs-"));
  const { store, stop } = await startLogStore();
  const bare = startBareEngine(join(folder, "bare"));
  try {
    for (const sql of boxTables(90)) await bare.ask({ kind: "run", sql });
    const inserts: Record<"store" | "bare" | "text", number[]> = { store: [], bare: [], text: [] };
    for (let batch = 0; batch < batches; batch += 1) {
      const logs = Array.from({ length: ROWS }, (_, n) => logAt(batch * ROWS + n));
      const path = join(folder, "batch.ndjson");
      inserts.text.push(...(await time(clock, [async () => encodeRows(logs)])));
      writeFileSync(path, encodeRows(logs));
      const settings = { ...INSERT_SETTINGS, insert_deduplication_token: `batch-${batch}` };
      // Alternate, so that other load on the machine affects both sides.
      inserts.bare.push((await bare.ask({ kind: "insert", path, settings })).ms);
      inserts.store.push(...(await time(clock, [() => store.insert(logs, { token: `batch-${batch}` })])));
    }
    const [ours, alone, text] = [
      computeFigures(inserts.store),
      computeFigures(inserts.bare),
      computeFigures(inserts.text),
    ];
    const fastest = Math.min(...inserts.bare) / Math.min(...inserts.store);
    print(
      `insert through the log store: ${(alone.p50 / ours.p50).toFixed(2)} of the bare engine by medians, ` +
        `${fastest.toFixed(2)} by the fastest; ms p50 / p95 / max: store ${inWords(ours)}, of which writing the rows ` +
        `${inWords(text)}, bare ${inWords(alone)}; ${batches} batches of ${ROWS}`,
    );
    expect(await store.count({ ...DAY, scope: ALL_SITES, where: { sql: "true", parameters: {} } }, 1_000_000_000)).toBe(
      batches * ROWS,
    );
  } finally {
    await bare.stop();
    await stop();
    rmSync(folder, { recursive: true });
  }
});
