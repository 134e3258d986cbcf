import process from "node:process";
import { createClock } from "@kit/clock";
import { type RunningService, refuseStart, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { EXIT_LEASE_LOST, EXIT_PARENT_ENDED, WITH_PARENT } from "./adapters/worker-process.ts";
import { readConfig } from "./composition/config.ts";
import { WORKING_ROLES } from "./composition/roles.ts";
import { startWork } from "./composition/start-work.ts";

const clock = createClock();
const log = createLog({ clock, level: "info" });

async function start(): Promise<RunningService> {
  const soc = await startWork({
    config: readConfig(process.env),
    entry: import.meta.url,
    roles: WORKING_ROLES,
    onLeaseLost(reason) {
      log.error({ err: reason }, "worker lost its lease");
      process.exit(EXIT_LEASE_LOST);
    },
    onRefused: (refusal) => refuseStart(process, refusal),
    clock,
    log,
  });
  return { readyLine: "Manara SOC's worker is ready", stop: () => soc.close() };
}

/** The parent keeps standard input open as long as it runs. Without it, this process would have no log engine. */
function exitWithParent(): void {
  const exit = () => process.exit(EXIT_PARENT_ENDED);
  process.stdin.once("end", exit).once("error", exit).resume();
}

if (process.argv.includes(WITH_PARENT)) exitWithParent();
await runService(process, { clock, log }, start);
