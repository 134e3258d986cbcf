import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { RunningService } from "./service.ts";

export interface ServiceManagerDeps {
  /** systemd passes its socket and the timeout of its watchdog as NOTIFY_SOCKET and WATCHDOG_USEC. */
  environment: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const NOTIFY_MS = 5000;
const run = promisify(execFile);

/**
 * Reports to systemd that the service is ready, at half of its watchdog's timeout that it is alive, and that it stops.
 * Without systemd it returns the service as it is.
 */
export async function reportToServiceManager(
  service: RunningService,
  { environment, clock, log }: ServiceManagerDeps,
): Promise<RunningService> {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdogUs } = environment;
  if (socket === undefined) return service;
  const closing = new AbortController();

  // The socket takes datagrams, which Node cannot send to a path: a program of systemd does.
  async function notify(state: string): Promise<void> {
    const env = { NOTIFY_SOCKET: socket, PATH: "/usr/bin:/bin" };
    await run("systemd-notify", [state], { env, timeout: NOTIFY_MS }).catch((error: unknown) =>
      log.warn({ err: error }, "notifying the service manager failed"),
    );
  }

  async function beat(everyMs: number): Promise<void> {
    for (;;) {
      await clock.sleep(everyMs, closing.signal);
      await notify("WATCHDOG=1");
    }
  }

  await notify("READY=1");
  if (watchdogUs !== undefined) beat(Number(watchdogUs) / 2000).catch(() => undefined);
  return {
    ...service,
    async stop() {
      closing.abort();
      await notify("STOPPING=1");
      await service.stop();
    },
  };
}
