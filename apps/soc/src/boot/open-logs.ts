import { totalmem } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { S3Settings } from "../adapters/files/s3-client.ts";
import { createBoxLogEngine } from "../adapters/log-engine/box-log-engine.ts";
import { computeEngineBytes, createLogEngine } from "../adapters/log-engine/log-engine.ts";
import { hasOwnEngine, openBoxLogStore, openLogStore, toAddressFile, toRecentFolder } from "../adapters/log-store.ts";
import { keepOldDays, openTieredStore } from "../adapters/old-days/old-days.ts";
import type { Restarts } from "../foundation/health/health.ts";
import type { LogStore } from "../ports/log-store.ts";
import type { LogSettings } from "./config/config-logs.ts";

export interface OpenLogsDeps {
  logSettings: LogSettings;
  /** The bucket of old days, with its key. */
  bucket: S3Settings | undefined;
  dataFolder: string;
  /** The program that runs the engine's entry file. */
  program: string;
  entry: string;
  clock: Clock;
  ids: Pick<Ids, "next">;
  log: Log;
}

export interface OpenedLogs {
  store: LogStore;
  restarts(): Restarts;
  /**
   * Starts the engine, or shares that of another process of this machine. Does nothing if logs are stored elsewhere.
   */
  start(): void;
  close(): Promise<void>;
}

/** Opens the log store and, on a single machine, its engine. */
export function openLogs(deps: OpenLogsDeps): OpenedLogs {
  const { logSettings, bucket: settings, dataFolder, program, entry, clock, ids, log } = deps;
  const { retentionDays, oldDays } = logSettings;
  const recent = { folder: toRecentFolder(dataFolder), log };
  if (!hasOwnEngine(logSettings)) {
    const store = openLogStore({ ...logSettings, recent, clock });
    const restarts = () => ({ restarts_24h: 0, last_reason: null });
    return { store, restarts, start: () => undefined, close: () => store.close() };
  }
  const engine = createBoxLogEngine({
    addressFile: toAddressFile(dataFolder),
    createEngine: () =>
      createLogEngine({
        folder: join(dataFolder, "logs"),
        program,
        entry,
        memoryBytes: computeEngineBytes(totalmem()),
        clock,
        log,
      }),
    async prepare(socketPath) {
      const preparing = openBoxLogStore({ socketPath: () => socketPath, retentionDays, recent });
      try {
        await preparing.migrate();
      } finally {
        await preparing.close();
      }
    },
    whileOwner:
      settings &&
      oldDays &&
      ((socketPath) =>
        keepOldDays({ ...oldDays, settings, dataFolder, retentionDays, program, entry, ids, clock, log }, socketPath)),
    clock,
    log,
  });
  const box = openBoxLogStore({ socketPath: () => engine.socketPath(), retentionDays, recent });
  const store = openTieredStore(box, { dataFolder, retentionDays, settings, clock });
  return {
    store,
    restarts: () => engine.restarts(),
    start: () => engine.start(),
    async close() {
      await store.close();
      await engine.close();
    },
  };
}
