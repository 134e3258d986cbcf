import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Restarts } from "../foundation/health/health.ts";
import { createRestarts } from "./log-engine/restarts.ts";

export interface WorkerProcessDeps {
  /** The program of this process, and the entry file of the worker with its arguments. */
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
  log: Pick<Log, "warn">;
}

/** The argument with which a worker exits when its standard input ends, that is, when its parent has ended. */
export const WITH_PARENT = "--with-parent";
/** Exit code after a lost lease: other processes have taken over the work, so continuing would do it twice. */
export const EXIT_LEASE_LOST = 70;
export const EXIT_PARENT_ENDED = 71;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
const GOOD_LIFE_MS = 10_000;
const CLOSE_MS = 7000;

/**
 * Keeps a worker running in its own process. The worker exits when other executors treat it as dead; a new one then
 * starts. It also exits whenever this process ends, because it would have no log engine to read from.
 */
export function createWorkerProcess({ program, args, env, clock, log }: WorkerProcessDeps) {
  const closing = new AbortController();
  const restarts = createRestarts(clock);
  let current: ChildProcess | undefined;
  let life: Promise<void> | undefined;

  async function live(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!closing.signal.aborted) {
      const bornMs = clock.monotonicMs();
      const child = spawn(program, [...args, WITH_PARENT], { env, stdio: ["pipe", "inherit", "inherit"] });
      // The child may already be dead; its exit event reports that.
      child.stdin.on("error", () => undefined);
      current = child;
      const why = await once(child, "exit").then(describeExit, String);
      current = undefined;
      if (closing.signal.aborted) return;
      restarts.note(why);
      if (clock.monotonicMs() - bornMs > GOOD_LIFE_MS) pauseMs = FIRST_PAUSE_MS;
      log.warn({ why, again_in_ms: pauseMs }, "worker ended, restarting");
      await clock.sleep(pauseMs, closing.signal).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }

  return {
    start() {
      life ??= live();
    },

    restarts: (): Restarts => restarts.read(),

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

function describeExit([code, signal]: (number | string | null)[]): string {
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}
