import { DBOS } from "@dbos-inc/dbos-sdk";
import { getExecutor } from "@dbos-inc/dbos-sdk/internal/dbos";
import { migrateSystemDatabase, verifySystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { GlobalLogger } from "@dbos-inc/dbos-sdk/internal/telemetry/logs";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { WorkPoller } from "../foundation/work-poller.ts";
import type { Lane, WorkflowEngine, WorkflowState } from "../foundation/workflows/workflow-engine.ts";
import { createLaneLoop, selectJobs } from "./dbos-lanes.ts";
import { createPresence, selectPendingOfOthers } from "./dbos-presence.ts";
import { createServerPool, createServers, findWritable, type Servers } from "./postgres/postgres-servers.ts";
import { CONNECTION, DETECT_DEAD_PEER, ROLE } from "./postgres/postgres-session.ts";

export interface WorkflowEngineDeps {
  url: string;
  connections?: number | undefined;
  /** A name that no other process ever has. */
  executorId: string;
  lanes: readonly Lane[];
  dueWork: WorkPoller;
  /** The process must exit: other executors treat it as dead and take over its work. */
  onLeaseLost: (reason: Error) => void;
  clock: Pick<Clock, "sleep">;
  log: Log;
}

type LaneLoop = ReturnType<typeof createLaneLoop>;

const SCHEMA = "dbos";
const APPLICATION = "manara-soc";
// Fixed: by default it is a hash of the sources, and each release would orphan waiting workflows.
const VERSION = "1";
const CONNECTIONS = 5;
const ANSWER_MS = 10_000;
const DRAIN_MS = 5000;
const FORGET_BATCH_SIZE = 5000;
const ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"];
const STATES = "SELECT workflow_uuid AS workflow, status FROM dbos.workflow_status WHERE workflow_uuid = ANY($1)";
const FORGET = `DELETE FROM dbos.workflow_status WHERE workflow_uuid IN (
  SELECT workflow_uuid FROM dbos.workflow_status
  WHERE status = ANY($1) AND updated_at < (extract(epoch FROM now()) * 1000)::bigint - $2
  LIMIT ${FORGET_BATCH_SIZE})`;

/**
 * Durable workflows on PostgreSQL. A process has at most one engine: the library keeps its state in module variables.
 */
export function createWorkflowEngine(deps: WorkflowEngineDeps): WorkflowEngine {
  const { url, connections = CONNECTIONS, executorId, lanes, dueWork, clock, log } = deps;
  const servers = createServers(url);
  const pool = createServerPool(servers, {
    ...CONNECTION,
    connectionTimeoutMillis: ANSWER_MS,
    max: connections,
    application_name: "manara-soc-worker",
    options: `-c role=${ROLE} ${DETECT_DEAD_PEER}`,
  });
  pool.on("error", (error) => log.warn({ err: error }, "workflow engine connection lost"));
  const presence = createPresence({
    servers,
    executorId,
    clock,
    log,
    onLeaseLost: deps.onLeaseLost,
    takeOver: async (id) => void (await getExecutor().recoverPendingWorkflows([id])),
  });
  let loops: readonly LaneLoop[] = [];
  let isStarted = false;

  /** A login that owns nothing can verify the tables but not create them. */
  async function ensureTables(): Promise<void> {
    try {
      await verifySystemDatabase(servers.current(), createGlobalLogger(log), pool, SCHEMA);
    } catch (error) {
      log.info({ err: error }, "tables of the workflow engine are not up to date, migrating");
      await presence.alone(() => migrate(servers, log));
    }
  }

  async function openLane({ name, concurrency }: Lane): Promise<LaneLoop> {
    const queue = await DBOS.registerQueue(name, { workerConcurrency: concurrency, onConflict: "always_update" });
    const hasJobs = dueWork.watch(selectJobs(name));
    return createLaneLoop({ queue, hasJobs, executorId, version: VERSION, clock, log });
  }

  return {
    async start() {
      await presence.start();
      await ensureTables();
      for (const { name, run } of lanes) {
        DBOS.registerWorkflow((id: string) => DBOS.runStep(() => run(id), { name: "run" }), { name });
      }
      DBOS.setConfig({
        name: APPLICATION,
        // All connections come from the pool; the library only displays this address.
        systemDatabaseUrl: servers.current(),
        systemDatabasePool: pool,
        runMigrations: false,
        executorID: executorId,
        applicationVersion: VERSION,
        // The lane loops take their own jobs.
        listenQueues: [],
        logger: createEngineLogger(log),
      });
      await DBOS.launch();
      isStarted = true;
      loops = await Promise.all(lanes.map(openLane));
      for (const loop of loops) loop.start();
      presence.watch(dueWork.watch(selectPendingOfOthers(executorId)));
    },

    async enqueue(lane, id) {
      await DBOS.enqueueWorkflowWithOptions(
        { queueName: lane, workflowName: lane, workflowID: `${lane}:${id}`, appVersion: VERSION },
        id,
      );
    },

    async readStates(lane, ids) {
      if (ids.length === 0) return new Map();
      const asked = ids.map((id) => `${lane}:${id}`);
      const { rows } = await pool.query<{ workflow: string; status: string }>(STATES, [asked]);
      return new Map(rows.map(({ workflow, status }) => [workflow.slice(lane.length + 1), toWorkflowState(status)]));
    },

    async forget(olderThanMs) {
      const { rowCount } = await pool.query(FORGET, [ENDED, olderThanMs]);
      return rowCount ?? 0;
    },

    async close() {
      await Promise.all(loops.map((loop) => loop.close()));
      if (isStarted) await DBOS.shutdown({ workflowCompletionTimeoutMS: DRAIN_MS, deregister: true });
      isStarted = false;
      // Closed last, so that no other executor takes over work that is being finished here.
      await presence.close();
      if (!pool.ended) await pool.end();
    },
  };
}

/**
 * Like DBOS.migrate, which would print to standard output. It must not run twice concurrently: a process could start
 * with half of the tables.
 */
async function migrate(servers: Servers, log: Log): Promise<void> {
  const url = withConnectionSettings(await findWritable(servers, ANSWER_MS));
  await migrateSystemDatabase(url, createGlobalLogger(log), SCHEMA, ROLE);
}

/** Creates or updates the tables of the workflow engine, for a login that owns them. */
export async function migrateWorkflowTables(
  deps: Pick<WorkflowEngineDeps, "url" | "executorId" | "clock" | "log">,
): Promise<void> {
  const { log } = deps;
  const servers = createServers(deps.url);
  const presence = createPresence({ ...deps, servers, takeOver: async () => undefined, onLeaseLost: () => undefined });
  await presence.start();
  try {
    await presence.alone(() => migrate(servers, log));
  } finally {
    await presence.close();
  }
}

/** The library opens these connections itself and accepts only settings that are in the address. */
function withConnectionSettings(url: string): string {
  const address = new URL(url);
  const { idle_in_transaction_session_timeout: idleMs } = CONNECTION;
  address.searchParams.set("idle_in_transaction_session_timeout", String(idleMs));
  address.searchParams.set("options", DETECT_DEAD_PEER);
  return address.href;
}

function createGlobalLogger(log: Log): GlobalLogger {
  return new GlobalLogger(undefined, { logger: createEngineLogger(log) });
}

function toWorkflowState(status: string): WorkflowState {
  if (status === "SUCCESS") return "done";
  return ENDED.includes(status) ? "failed" : "waiting";
}

function createEngineLogger(log: Log) {
  const logAt = (level: "debug" | "warn" | "error") => (entry: unknown) => {
    log[level]({ entry: String(entry) }, "workflow engine");
  };
  // Its messages at level info are about the engine itself, not about our work.
  return { info: logAt("debug"), debug: logAt("debug"), warn: logAt("warn"), error: logAt("error") };
}
