import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createWorkflowEngine } from "../adapters/dbos.ts";
import type { Work } from "../foundation/feature.ts";
import { closeAll, startAll } from "./lifecycle.ts";
import { openPlatform, type PlatformParts } from "./open-platform.ts";

export interface WorkerParts {
  /** A direct connection, not one through a pooler: locks belong to sessions. */
  databaseUrl: string;
  works: readonly Work[];
  /** A name that no process has, or has had. */
  executorId: string;
  /** The process must end: others take it for dead. Its parent starts another. */
  onLeaseLost: (reason: Error) => void;
  clock: Clock;
  log: Log;
}

const WARM_UP_MS = 30_000;

/** Runs what the features do without a request, in a process of its own. */
export function createWorker({ databaseUrl, works, executorId, onLeaseLost, clock, log }: WorkerParts) {
  const workflows = createWorkflowEngine({
    url: databaseUrl,
    executorId,
    lanes: works.flatMap(({ lanes = [] }) => lanes),
    onLeaseLost,
    clock,
    log,
  });
  const background = works.flatMap((work) => work.background?.(workflows) ?? []);

  /** Before it takes over work of others. With nothing warm it would do so anyway, only later. */
  async function warmUp(): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.all(works.map((work) => work.warmUp?.())), clock.sleep(WARM_UP_MS, over.signal)])
      .catch((error: unknown) => log.warn({ err: error }, "worker starts without having read the rules"))
      .finally(() => over.abort());
  }

  return {
    async start() {
      await warmUp();
      await workflows.start();
      await startAll(background);
    },

    async close() {
      await Promise.all(background.map((each) => each.close()));
      await Promise.all(works.map((work) => work.close?.()));
      await workflows.close();
    },
  };
}

/** The process that works without requests. Without a database there is nothing to work on. */
export async function work(parts: PlatformParts, worker: Pick<WorkerParts, "executorId" | "onLeaseLost">) {
  const { database, platform, background } = await openPlatform(parts);
  const { databaseUrl } = parts.settings;
  const works = platform.features.flatMap((feature) => feature.createWork?.(worker) ?? []);
  const running = [...background];
  if (databaseUrl !== undefined) running.push(createWorker({ ...parts, ...worker, databaseUrl, works }));
  await startAll(running);
  return {
    async close() {
      await closeAll(running);
      await database.close();
    },
  };
}
