import { type RunningService, refuseStart, runService } from "@kit/http/service";
import { EXIT_LEASE_LOST, EXIT_PARENT_ENDED, WITH_PARENT } from "../adapters/worker-process.ts";
import { readConfig } from "./config/config.ts";
import { WORKING_ROLES } from "./roles.ts";
import type { StartDeps } from "./start.ts";
import { startWork } from "./start-work.ts";

/** Runs the child that a single machine keeps for its background work. */
export async function runWorker({ host, entry, clock, log }: StartDeps): Promise<void> {
  async function start(): Promise<RunningService> {
    const soc = await startWork({
      config: readConfig(host.env),
      entry,
      roles: WORKING_ROLES,
      onLeaseLost(reason) {
        log.error({ err: reason }, "worker lost its lease");
        host.exit(EXIT_LEASE_LOST);
      },
      onRefused: (refusal) => refuseStart(host, refusal),
      clock,
      log,
    });
    return { readyLine: "Manara SOC's worker is ready", stop: () => soc.close() };
  }

  if (host.argv.includes(WITH_PARENT)) exitWithParent(host);
  await runService(host, { clock, log }, start);
}

/**
 * The parent keeps standard input open as long as it runs. Without a parent, this process would have no log engine.
 */
function exitWithParent({ stdin, exit }: Pick<StartDeps["host"], "stdin" | "exit">): void {
  const end = () => exit(EXIT_PARENT_ENDED);
  stdin.once("end", end).once("error", end).resume();
}
