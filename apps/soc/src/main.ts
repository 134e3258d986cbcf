import { mkdir, readFile, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { formatServiceAddress, listen, type RunningService, runService } from "@kit/http/service";
import { createLog, type Log } from "@kit/log";
import { computeEngineBytes, createLogEngine } from "./adapters/log-engine.ts";
import { openLogStore, toRecentFolder } from "./adapters/log-store.ts";
import { createWorkerProcess } from "./adapters/worker-process.ts";
import { readConfig } from "./composition/config.ts";
import { describeMachine } from "./composition/machine.ts";
import { serve } from "./composition/serve.ts";
import type { LogStore } from "./logs/search/log-store.ts";

const clock = createClock();
const ENGINE_START_TIMEOUT_MS = 30_000;
const ENGINE_RETRY_MS = 250;

async function start(): Promise<RunningService> {
  const { host, port, tls, adminPassword, logStoreAddress, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const log = createLog({ clock, level: "info" });
  const logs = await openLogs(logStoreAddress, config, log);
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(logStoreAddress),
  };
  const firstAdmin = {
    password: adminPassword ?? ids.secret(15).toString("base64url"),
    async onCreated(password: string): Promise<void> {
      if (adminPassword === undefined) await showPassword(config.dataFolder, password);
    },
  };
  const soc = await serve(
    { settings, logStore: logs.store, firstAdmin, clock, ids, log },
    {
      ...config,
      tls,
      version: await readVersion(new URL("../package.json", import.meta.url)),
      consoleFolder: fileURLToPath(new URL("../../soc-console/dist", import.meta.url)),
    },
  );
  await listen(soc.app, { host, port }, "SOC_PORT");
  const worker = createWorkerProcess({
    program: process.execPath,
    entry: fileURLToPath(new URL("./main-worker.js", import.meta.url)),
    env: { ...process.env, SOC_LOG_STORE: logs.address },
    clock,
    log,
  });
  // Without a database, and in dummy, there is no background work.
  if (config.databaseUrl !== undefined && config.mode !== "dummy") worker.start();
  return {
    readyLine: `Manara SOC is ready at ${formatServiceAddress({ host, port, hasTls: tls !== undefined })} in mode ${config.mode}`,
    async stop() {
      await worker.close();
      await soc.close();
      await logs.close();
    },
  };
}

type LogsConfig = Pick<ReturnType<typeof readConfig>, "dataFolder" | "databaseUrl" | "logRetentionDays">;

/** Opens the log store and, on one box, starts its engine. Without a database no logs are stored. */
async function openLogs(
  address: string,
  { dataFolder, databaseUrl, logRetentionDays: retentionDays }: LogsConfig,
  log: Log,
): Promise<{ store: LogStore; address: string; close(): Promise<void> }> {
  const recent = { folder: toRecentFolder(dataFolder), log };
  const open = (at: string) => openLogStore({ address: at, retentionDays, recent });
  if (address !== "chdb") {
    const store = open(address);
    return { store, address, close: () => store.close() };
  }
  const newEngine = () =>
    createLogEngine({
      folder: join(dataFolder, "logs"),
      program: process.execPath,
      entry: fileURLToPath(new URL("./main-log-engine.js", import.meta.url)),
      memoryBytes: computeEngineBytes(totalmem()),
      clock,
      log,
    });
  if (databaseUrl === undefined) {
    const unused = newEngine().address();
    return { store: open(unused), address: unused, close: async () => undefined };
  }
  const addressFile = join(dataFolder, "log-engine.address");
  const deadline = clock.deadline(ENGINE_START_TIMEOUT_MS);
  for (;;) {
    const engine = newEngine();
    try {
      await engine.start();
      await writeFile(addressFile, engine.address(), { mode: 0o600 });
      const store = open(engine.address());
      const close = async () => {
        await store.close();
        await engine.close();
      };
      return { store, address: engine.address(), close };
    } catch (error) {
      const shared = await openShared(addressFile, open);
      if (shared) log.info({}, "log engine of another process is used");
      if (shared) return shared;
      // Retry: the engine of a killed process exits shortly after it, and an engine that is starting has no address
      // yet.
      if (deadline.aborted) throw error;
      await clock.sleep(ENGINE_RETRY_MS);
    }
  }
}

/** Opens the engine of another process on this machine, if it answers. */
async function openShared(addressFile: string, open: (address: string) => LogStore) {
  const address = await readFile(addressFile, "utf8").catch(() => undefined);
  if (address === undefined) return undefined;
  const store = open(address);
  if (await store.isAvailable()) return { store, address, close: () => store.close() };
  await store.close();
  return undefined;
}

/**
 * Shows the password once on a terminal; otherwise writes it to a file that only the owner can read, so that no log
 * collects it.
 */
async function showPassword(dataFolder: string, password: string): Promise<void> {
  if (process.stdout.isTTY) {
    process.stdout.write(`Sign in as admin with the password ${password} (shown only now)\n`);
    return;
  }
  const path = join(dataFolder, "initial-admin-password");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  process.stdout.write(`Sign in as admin with the password in ${path}\n`);
}

await runService(process, clock, start);
