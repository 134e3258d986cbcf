import { fileURLToPath } from "node:url";
import type { Clock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { readEngineSocket } from "../adapters/log-engine/box-log-engine.ts";
import { hasOwnEngine, openBoxLogStore, openLogStore, toAddressFile, toRecentFolder } from "../adapters/log-store.ts";
import { openTieredStore } from "../adapters/old-days/old-days.ts";
import type { readConfig } from "./config/config.ts";
import { openLogBucket } from "./config/config-logs.ts";
import { describeMachine } from "./machine.ts";
import type { PlatformParts } from "./open-platform.ts";
import { type WorkSettings, work } from "./work.ts";
import { createYamlThreadStarter } from "./yaml-thread.ts";

export interface StartWorkDeps extends Pick<WorkSettings, "roles" | "served" | "onLeaseLost"> {
  onRefused: NonNullable<PlatformParts["onRefused"]>;
  config: ReturnType<typeof readConfig>;
  /** The URL of the entry file, from which product folders are located. */
  entry: string;
  clock: Clock;
  log: Log;
}

/**
 * Starts a process with background work. On a single machine it uses the log engine of a process with the role `api` or
 * `intake`.
 */
export async function startWork({ config, entry, onRefused, clock, log, ...settings }: StartWorkDeps) {
  const { logSettings, dataFolder } = config;
  const ids = createIds(clock);
  const recent = { folder: toRecentFolder(dataFolder), log };
  const socketPath = () => readEngineSocket(toAddressFile(dataFolder));
  const logStore = hasOwnEngine(logSettings)
    ? openTieredStore(openBoxLogStore({ ...logSettings, socketPath, recent }), {
        ...logSettings,
        dataFolder,
        settings: await openLogBucket(logSettings),
        clock,
      })
    : openLogStore({ ...logSettings, recent, clock });
  const platformSettings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", entry)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", entry)),
    startYamlThread: createYamlThreadStarter(entry),
    machine: describeMachine(logSettings),
  };
  // A process of the API creates the administrator.
  const parts = { settings: platformSettings, logStore, firstAdmin: undefined, onRefused, clock, ids, log };
  const soc = await work(parts, { ...settings, executorId: `worker-${ids.next()}` });
  return {
    app: soc.app,
    async close() {
      await soc.close();
      await logStore.close();
    },
  };
}
