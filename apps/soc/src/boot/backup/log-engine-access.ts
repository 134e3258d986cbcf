import { totalmem } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createLogBackups, type LogBackups } from "../../adapters/backup/log-backups.ts";
import { readEngineSocket } from "../../adapters/log-engine/box-log-engine.ts";
import { computeEngineBytes, createLogEngine, pingEngine } from "../../adapters/log-engine/log-engine.ts";
import { toAddressFile } from "../../adapters/log-store.ts";

export interface EngineAccessDeps {
  dataFolder: string;
  /** The program and the entry file of a log engine. */
  program: string;
  engineEntry: string;
  clock: Clock;
  ids: Pick<Ids, "next">;
}

const PING_MS = 5000;

/** Opens the log engine of the running service or, if no service runs, one in this process. */
export async function openLogEngine(deps: EngineAccessDeps): Promise<LogBackups> {
  const { dataFolder, clock, ids } = deps;
  const socketPath = readEngineSocket(toAddressFile(dataFolder));
  if (await pingEngine(socketPath, clock.deadline(PING_MS))) return createLogBackups({ socketPath, clock, ids });
  return startLogEngine(deps);
}

/** Starts a log engine in this process on the data folder, which no other process may use. */
export async function startLogEngine(deps: EngineAccessDeps): Promise<LogBackups> {
  const { dataFolder, program, engineEntry, clock, ids } = deps;
  const engine = createLogEngine({
    folder: join(dataFolder, "logs"),
    program,
    entry: engineEntry,
    memoryBytes: computeEngineBytes(totalmem()),
    clock,
    log: silentLog,
  });
  await engine.start();
  const backups = createLogBackups({ socketPath: engine.socketPath(), clock, ids });
  return {
    ...backups,
    async close() {
      await backups.close();
      await engine.close();
    },
  };
}
