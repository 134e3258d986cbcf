import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { expect, it } from "vitest";
import { encodeRows } from "../../src/adapters/clickhouse/clickhouse-rows.ts";
import { boxTables } from "../../src/adapters/clickhouse/clickhouse-tables.ts";
import { readJsonEvents } from "../../src/logs/intake/formats/json-events.ts";
import { toLog } from "../../src/logs/normalise/normalise.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import { startBareEngine } from "./bare-log-engine.ts";
import { buildLines } from "./events.ts";
import { computeFigures, measureCpuMicros, print, time } from "./figures.ts";
import { INSERT_SETTINGS } from "./insert-settings.ts";
import { type Product, startProduct } from "./product.ts";

const { BENCH_INTAKE_BATCHES = "2" } = process.env;
const batches = Number(BENCH_INTAKE_BATCHES);
const isFull = batches >= 60;
const ROWS = 10_000;
/** Concurrent senders: the engine reads one batch while the service prepares the next. */
const SENDERS = isFull ? 3 : 2;
const TURN = isFull ? 2 * SENDERS : SENDERS;
const LEAST_RATIO = 0.6;
const HOUR = 60 * 60_000;
const clock = createClock();
const ids = createIds(clock);

function parseLogs(lines: string, at: string): LogEvent[] {
  return readJsonEvents(lines).flatMap((found) =>
    "fields" in found ? [toLog(found.fields, { id: ids.next(), site: "", ingested_at: at, raw: found.raw })] : [],
  );
}

it("ingests logs at more than half the rate of the bare engine, without rules", { timeout: HOUR }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-intake-"));
  const product = await startProduct();
  const bare = startBareEngine(join(folder, "bare"));
  const rates: Record<"intake" | "bare", number[]> = { intake: [], bare: [] };
  try {
    for (const sql of boxTables(90)) await bare.ask({ kind: "run", sql });
    const spent = new Map<string, number>();
    const at = clock.now().toISOString();
    for (let first = 0; first < batches; first += TURN) {
      const texts = Array.from({ length: TURN }, (_, n) => buildLines((first + n) * ROWS, ROWS, at));
      // Alternate, so that other load on the machine affects both sides.
      rates.bare.push(await bareRate(bare, folder, texts, at));
      const before = await product.cpuMicros();
      rates.intake.push(await intakeRate(product, texts));
      for (const [name, micros] of await product.cpuMicros()) {
        spent.set(name, (spent.get(name) ?? 0) + micros - (before.get(name) ?? 0));
      }
    }
    const turns = Math.ceil(batches / TURN);
    const [intake, alone] = [computeFigures(rates.intake), computeFigures(rates.bare)];
    const ratio = intake.p50 / alone.p50;
    print(
      `intake to durable: ${ratio.toFixed(2)} of the bare engine by medians ` +
        `(${intake.p50.toFixed(0)} against ${alone.p50.toFixed(0)} events/s; fastest ${(intake.max / alone.max).toFixed(2)}), ` +
        `batches of ${ROWS}, ${turns} turns of ${TURN}, rules off`,
    );
    printRemaining(spent, at, turns * TURN * ROWS);
    const { total_events } = await product.get("/siem/stats");
    expect(total_events).toBe(turns * TURN * ROWS);
    if (isFull) expect(ratio).toBeGreaterThanOrEqual(LEAST_RATIO);
  } finally {
    await bare.stop();
    await product.stop();
    rmSync(folder, { recursive: true });
  }
});

/** Events per second for the insert alone, with the same rows that the store writes. */
async function bareRate(
  bare: ReturnType<typeof startBareEngine>,
  folder: string,
  texts: readonly string[],
  at: string,
) {
  let tookMs = 0;
  for (const text of texts) {
    const path = join(folder, "batch.ndjson");
    writeFileSync(path, encodeRows(parseLogs(text, at)));
    const settings = { ...INSERT_SETTINGS, insert_deduplication_token: ids.next() };
    tookMs += (await bare.ask({ kind: "insert", path, settings })).ms;
  }
  return (texts.length * ROWS * 1000) / tookMs;
}

async function intakeRate(product: Product, texts: readonly string[]) {
  const waiting = texts.values();
  const [tookMs = 0] = await time(clock, [
    () =>
      Promise.all(
        Array.from({ length: SENDERS }, async () => {
          for (const text of waiting) await product.ingest(text, ROWS, "bench");
        }),
      ),
  ]);
  return (texts.length * ROWS * 1000) / tookMs;
}

function printRemaining(spent: ReadonlyMap<string, number>, at: string, events: number): void {
  const of = (name: string) => ((spent.get(name) ?? 0) / events).toFixed(1);
  const text = buildLines(0, ROWS, at);
  const [found, logs] = [readJsonEvents(text), parseLogs(text, at)];
  const share = (work: () => unknown) => (Math.min(...[1, 2, 3].map(() => measureCpuMicros(work))) / ROWS).toFixed(1);
  const parsing = share(() => readJsonEvents(text));
  const normalising = share(() => {
    for (const each of found) {
      if ("fields" in each) toLog(each.fields, { id: ids.next(), site: "", ingested_at: at, raw: each.raw });
    }
  });
  const writing = share(() => encodeRows(logs));
  print(
    `intake to durable: the rest goes to, in µs of processor an event: the service ${of("main.js")} (parsing ${parsing}, ` +
      `normalising ${normalising}, writing rows ${writing}, HTTP both ways and bookkeeping the remainder); ` +
      `the engine's process ${of("main-log-engine.js")}; the worker ${of("main.js worker")}`,
  );
}
