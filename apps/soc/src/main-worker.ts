import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { openLogStore, toRecentFolder } from "./adapters/log-store.ts";
import { readConfig } from "./composition/config.ts";
import { describeMachine } from "./composition/machine.ts";
import { work } from "./composition/work.ts";

const clock = createClock();
/** Exit code after a lost lease: other processes have taken over the work, so continuing would do it twice. */
const EXIT_LEASE_LOST = 70;

async function start(): Promise<RunningService> {
  const { logStoreAddress: address, logRetentionDays: retentionDays, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const log = createLog({ clock, level: "info" });
  const recent = { folder: toRecentFolder(config.dataFolder), log };
  const logStore = openLogStore({ address, retentionDays, recent });
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(address),
  };
  const soc = await work(
    {
      settings,
      logStore,
      // The service creates the administrator.
      firstAdmin: undefined,
      clock,
      ids,
      log,
    },
    {
      executorId: `worker-${ids.next()}`,
      onLeaseLost(reason) {
        log.error({ err: reason }, "worker lost its lease");
        process.exit(EXIT_LEASE_LOST);
      },
    },
  );
  return {
    readyLine: "Manara SOC's worker is ready",
    async stop() {
      await soc.close();
      await logStore.close();
    },
  };
}

await runService(process, clock, start);
