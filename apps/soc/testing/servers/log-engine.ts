import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { createClock } from "@kit/clock";
import type { Log } from "@kit/log";
import { silentLog } from "@kit/log/silent";
import { type ClickhouseLogStoreDeps, createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { createRecentLogs } from "../../src/adapters/clickhouse/recent-logs.ts";
import { computeEngineBytes, createLogEngine, type LogEngine } from "../../src/adapters/log-engine/log-engine.ts";
import { EMPTY_LOG, type LogEvent } from "../../src/ports/log-event.ts";
import { builtScript } from "./built-script.ts";

const clock = createClock();

export const builtEntry = () => builtScript("src/main-log-engine.ts");

export interface EngineOptions {
  folder?: string;
  log?: Log;
}

/** Returns a function that creates engines on the folder, which are not started. */
export async function createEngineFactory(
  folder: string,
  { log = silentLog, memoryBytes = computeEngineBytes(totalmem()) }: { log?: Log; memoryBytes?: number } = {},
): Promise<() => LogEngine> {
  const entry = await builtEntry();
  return () => createLogEngine({ folder, program: process.execPath, entry, memoryBytes, clock, log });
}

/** Starts a log engine process with its own folder. */
export async function startLogEngine({ folder = mkdtempSync(join(tmpdir(), "log-engine-")), log }: EngineOptions = {}) {
  const engine = (await createEngineFactory(folder, { ...(log && { log }) }))();
  await engine.start();
  return { engine, folder };
}

/** Starts a process with its own engine and one acknowledged row, for a test to kill. */
export async function startLogEngineParent() {
  const folder = mkdtempSync(join(tmpdir(), "log-engine-"));
  const script = await builtScript("testing/processes/log-engine-parent.ts");
  const parent = spawn(process.execPath, [script, folder, await builtEntry()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: parent.stdout }), "line");
  return { folder, pid: parent.pid ?? 0, childPid: Number(line) };
}

/** Starts a migrated log store on its own engine. */
export async function startLogStore(options: Partial<Pick<ClickhouseLogStoreDeps, "limits" | "retentionDays">> = {}) {
  const { engine, folder } = await startLogEngine();
  const recentFolder = mkdtempSync(join(tmpdir(), "recent-logs-"));
  const recent = createRecentLogs({ folder: recentFolder, log: silentLog });
  const store = createClickhouseLogStore({
    url: engine.url,
    agent: engine.agent,
    retentionDays: 90,
    recent,
    ...options,
  });
  await store.migrate();
  return {
    engine,
    recentFolder,
    store,
    stop: async () => {
      await store.close();
      await engine.close();
      for (const each of [folder, recentFolder]) await rm(each, { recursive: true, force: true });
    },
  };
}

/** A log with empty fields except the given ones. */
export function sampleLog(given: Partial<LogEvent> & Pick<LogEvent, "id">): LogEvent {
  return {
    ...EMPTY_LOG,
    timestamp: "2026-11-15T09:00:00.000Z",
    ingested_at: "2026-11-15T09:00:01.000Z",
    source: "test",
    ...given,
  };
}
