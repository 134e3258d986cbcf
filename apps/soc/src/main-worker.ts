import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { readEngineSocket } from "./adapters/box-log-engine.ts";
import { hasOwnEngine, openBoxLogStore, openLogStore, toAddressFile, toRecentFolder } from "./adapters/log-store.ts";
import { WITH_PARENT } from "./adapters/worker-process.ts";
import { readConfig } from "./composition/config.ts";
import { describeMachine } from "./composition/machine.ts";
import { work } from "./composition/work.ts";

const clock = createClock();
const log = createLog({ clock, level: "info" });
/** Exit code after a lost lease: other processes have taken over the work, so continuing would do it twice. */
const EXIT_LEASE_LOST = 70;
const EXIT_PARENT_ENDED = 71;

async function start(): Promise<RunningService> {
  const config = readConfig(process.env);
  const ids = createIds(clock);
  const recent = { folder: toRecentFolder(config.dataFolder), log };
  const socketPath = () => readEngineSocket(toAddressFile(config.dataFolder));
  const { logSettings } = config;
  const logStore = hasOwnEngine(logSettings)
    ? openBoxLogStore({ ...logSettings, socketPath, recent })
    : openLogStore({ ...logSettings, recent, clock });
  const settings = {
    ...config,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    playbooksFolder: fileURLToPath(new URL("../playbooks", import.meta.url)),
    machine: describeMachine(logSettings),
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

/** The parent keeps standard input open as long as it runs. Without it, this process would have no log engine. */
function exitWithParent(): void {
  const exit = () => process.exit(EXIT_PARENT_ENDED);
  process.stdin.once("end", exit).once("error", exit).resume();
}

if (process.argv.includes(WITH_PARENT)) exitWithParent();
await runService(process, { clock, log }, start);
