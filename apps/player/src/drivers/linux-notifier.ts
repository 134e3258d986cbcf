import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Problem } from "@kit/problem";
import type { ServiceNotifier } from "../system/service-notifier.ts";

export interface LinuxNotifierDeps {
  /** The path of the service manager's socket, its NOTIFY_SOCKET. */
  socket: string;
}

const NOTIFY_TIMEOUT_MS = 5000;
const run = promisify(execFile);

/** Uses the systemd-notify program, because the socket takes datagrams, which Node cannot send to a path. */
export function createLinuxNotifier({ socket }: LinuxNotifierDeps): ServiceNotifier {
  async function notify(state: string): Promise<void> {
    try {
      await run("systemd-notify", [state], {
        env: { NOTIFY_SOCKET: socket, PATH: "/usr/bin:/bin" },
        timeout: NOTIFY_TIMEOUT_MS,
      });
    } catch (cause) {
      throw new Problem("failed", "notifier: the service manager cannot be notified", { cause });
    }
  }
  return {
    ready: () => notify("READY=1"),
    alive: () => notify("WATCHDOG=1"),
    stopping: () => notify("STOPPING=1"),
  };
}
