import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { createClock } from "@kit/clock";
import type { Log } from "@kit/log";
import { silentLog } from "@kit/log/silent";
import { build } from "vite";
import { type ClickhouseLogStoreDeps, createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { createRecentLogs } from "../../src/adapters/clickhouse/recent-logs.ts";
import { computeEngineBytes, createLogEngine, type LogEngine } from "../../src/adapters/log-engine/log-engine.ts";
import { EMPTY_LOG, type LogEvent } from "../../src/ports/log-event.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const clock = createClock();
const builds = new Map<string, Promise<string>>();

/** Bundles an entry file into one script, so that Node can run it without a build step before the test. */
function builtScript(source: string): Promise<string> {
  const building = builds.get(source) ?? buildScript(source);
  builds.set(source, building);
  return building;
}

async function buildScript(source: string): Promise<string> {
  // Inside node_modules, so that the script can resolve the engine.
  const folder = join(ROOT, "node_modules/.cache/log-engine");
  await mkdir(folder, { recursive: true });
  const outDir = await mkdtemp(join(folder, "build-"));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node"] },
    ssr: { noExternal: true, external: ["chdb", "@clickhouse/client"], resolve: { conditions: ["source", "node"] } },
    build: { ssr: join(ROOT, "apps/soc", source), outDir, target: "node20", minify: false },
  });
  // Atomic rename: a child of another test may read the file at this moment.
  const name = basename(source, ".ts");
  const script = join(folder, `${name}.mjs`);
  await rename(join(outDir, `${name}.js`), script);
  await rm(outDir, { recursive: true });
  return script;
}

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
