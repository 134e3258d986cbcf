import { hostname, platform } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { openLogStore, recentFolderOf } from "./adapters/log-store.ts";
import { readConfig } from "./composition/config.ts";
import { createPlatform } from "./composition/platform.ts";

const clock = createClock();
/** Others take this process for dead: whatever it still did would be done twice. */
const LOST = 70;

async function start(): Promise<RunningService> {
  const { logStoreAddress: address, logRetentionDays: retentionDays, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const log = createLog({ clock, level: "info" });
  const recent = { folder: recentFolderOf(config.dataFolder), log };
  const logStore = openLogStore({ address, retentionDays, recent });
  const soc = await createPlatform({
    ...config,
    clock,
    ids,
    log,
    logStore,
    version: await readVersion(new URL("../package.json", import.meta.url)),
    consoleFolder: fileURLToPath(new URL("../../soc-console/dist", import.meta.url)),
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: { deployment_mode: "one_box", hostname: hostname(), platform: platform() },
    // The service has welcomed him.
    welcomeAdmin: async () => undefined,
    worker: {
      executorId: `worker-${ids.next()}`,
      onLost(reason) {
        log.error({ err: reason }, "worker has lost its place");
        process.exit(LOST);
      },
    },
  });
  return {
    readyLine: "Manara SOC's worker is ready",
    async stop() {
      await soc.close();
      await logStore.close();
    },
  };
}

await runService(process, clock, start);
