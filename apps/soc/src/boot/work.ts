import type { Clock } from "@kit/clock";
import { closeGracefully } from "@kit/http/service";
import type { Log } from "@kit/log";
import { createWorkflowEngine } from "../adapters/dbos.ts";
import type { Work } from "../foundation/base.ts";
import type { ProcessRole } from "../foundation/process-role.ts";
import type { WorkPoller } from "../foundation/work-poller.ts";
import { closeAll, startAll } from "./lifecycle.ts";
import { awaitFirstAnswer, openPlatform, type PlatformParts } from "./open-platform.ts";
import { createAppOn, type ServeSettings } from "./serve.ts";

export interface WorkerParts {
  /** A direct connection, not through a pooler: advisory locks belong to a session. */
  databaseUrl: string;
  /** The connections of the workflow engine. */
  connections?: number | undefined;
  works: readonly Work[];
  dueWork: WorkPoller;
  /** A name that is unique over all processes, including ended ones. */
  executorId: string;
  /** The process must exit: other processes consider it dead and take over its work. Its parent starts a new one. */
  onLeaseLost: (reason: Error) => void;
  clock: Clock;
  log: Log;
}

const WARM_UP_MS = 30_000;

/** Runs the background work of the features. */
export function createWorker(parts: WorkerParts) {
  const { databaseUrl, connections, works, dueWork, executorId, onLeaseLost, clock, log } = parts;
  const workflows = createWorkflowEngine({
    url: databaseUrl,
    connections,
    executorId,
    lanes: works.flatMap(({ lanes = [] }) => lanes),
    dueWork,
    onLeaseLost,
    clock,
    log,
  });
  const background = works.flatMap((work) => work.background?.(workflows) ?? []);

  /**
   * Fills caches before this process takes over work of others. A failure or timeout only makes the first jobs slower.
   */
  async function warmUp(): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.all(works.map(async (work) => work.warmUp?.())), clock.sleep(WARM_UP_MS, over.signal)])
      .catch((error: unknown) => log.warn({ err: error }, "worker warm-up failed, starting cold"))
      .finally(() => over.abort());
  }

  return {
    async start() {
      await warmUp();
      await workflows.start();
      await startAll(background);
    },

    async close() {
      await Promise.all(background.map(async (each) => each.close()));
      await Promise.all(works.map(async (work) => work.close?.()));
      await workflows.close();
    },
  };
}

export interface WorkSettings extends Pick<WorkerParts, "executorId" | "onLeaseLost"> {
  roles: readonly ProcessRole[];
  /** The server for monitoring programs; the child on a single machine has none. */
  served?: ServeSettings;
}

/** Starts the process for background work. Without a database there is no such work. */
export async function work(parts: PlatformParts, { roles, served, ...worker }: WorkSettings) {
  const { databaseUrl, workflowConnections, workerDatabaseLimits: databaseLimits = {} } = parts.settings;
  const settings = { ...parts.settings, databaseLimits };
  const opened = await openPlatform({ ...parts, settings }, roles);
  const { base, database, streams, platform, background } = opened;
  await awaitFirstAnswer(database);
  // Closed last, because owners of partitions use the streams until they end.
  const connection = streams && { start: () => undefined, close: () => streams.close() };
  const running = [...(connection ? [connection] : []), ...background];
  if (databaseUrl !== undefined && roles.includes("worker")) {
    const works = platform.registrations.flatMap((feature) => feature.createWork?.(worker) ?? []);
    const { dueWork } = base;
    running.push(createWorker({ ...parts, ...worker, databaseUrl, connections: workflowConnections, works, dueWork }));
  }
  if (databaseUrl !== undefined && roles.includes("relay")) {
    running.push(...platform.registrations.flatMap((feature) => feature.createRelaying?.() ?? []));
  }
  const app = served && (await createAppOn(opened, parts, served));
  await startAll(running);
  return {
    app,
    async close() {
      await closeAll(running);
      if (app) await closeGracefully(app, parts.clock);
      await database.close();
    },
  };
}
