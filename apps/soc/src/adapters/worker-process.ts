import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

export interface WorkerProcessDeps {
  /** The program of this process and the entry file that the worker runs. */
  program: string;
  entry: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "warn">;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
const GOOD_LIFE_MS = 60_000;
const CLOSE_MS = 7000;

/**
 * Keeps a worker running in its own process. The worker exits when other executors treat it as dead; then a new one
 * starts.
 */
export function createWorkerProcess({ program, entry, env, clock, log }: WorkerProcessDeps) {
  const closing = new AbortController();
  let current: ChildProcess | undefined;
  let life: Promise<void> | undefined;

  async function live(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!closing.signal.aborted) {
      const bornMs = clock.monotonicMs();
      current = spawn(program, [entry], { env, stdio: ["ignore", "inherit", "inherit"] });
      const [code] = await once(current, "exit").catch((error: unknown) => [error]);
      current = undefined;
      if (closing.signal.aborted) return;
      log.warn({ code: String(code), again_in_ms: pauseMs }, "worker ended, restarting");
      await clock.sleep(pauseMs, closing.signal).catch(() => undefined);
      pauseMs = clock.monotonicMs() - bornMs > GOOD_LIFE_MS ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }

  return {
    start() {
      life ??= live();
    },

    async close(): Promise<void> {
      closing.abort();
      const ending = current;
      ending?.kill("SIGTERM");
      await Promise.race([life, clock.sleep(CLOSE_MS)]);
      ending?.kill("SIGKILL");
      await life;
    },
  };
}
