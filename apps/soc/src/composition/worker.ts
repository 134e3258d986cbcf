import type { Clock } from "@kit/clock";
import type { Log as Speaker } from "@kit/log";
import type { Kysely } from "kysely";
import { createWorkflowEngine } from "../adapters/dbos.ts";
import { createAccountingStore } from "../detection/scheduling/accounting.store.ts";
import { createBackfillService } from "../detection/scheduling/backfill.service.ts";
import { createBackfillStore } from "../detection/scheduling/backfill.store.ts";
import {
  BACKFILL_LANE,
  createDispatcherWorker,
  idOfWorkflow,
  SCHEDULED_LANE,
} from "../detection/scheduling/dispatcher.worker.ts";
import { createBatchService, type WorkerRules } from "../detection/scheduling/dispatcher-batch.service.ts";
import { createScanService } from "../detection/scheduling/dispatcher-scan.service.ts";
import { createRuleCache } from "../detection/scheduling/rule-cache.service.ts";
import { createScheduleStore } from "../detection/scheduling/schedule.store.ts";
import { createStreamStore } from "../detection/scheduling/stream.store.ts";
import { createStreamWorker, type StreamRules, type StreamWatch } from "../detection/scheduling/stream.worker.ts";
import type { Tables } from "../foundation/database/tables.ts";
import type { Lane, WorkflowEngine } from "../foundation/workflows/workflow-engine.ts";
import type { WritersStore } from "../logs/intake/pipeline/writers.store.ts";
import type { LogStore } from "../logs/search/log-store.ts";

export interface WorkerParts {
  /** A direct connection, not one through a pooler: locks belong to sessions. */
  databaseUrl: string;
  db: Kysely<Tables>;
  logStore: LogStore;
  writers: Pick<WritersStore, "lowest">;
  rules: WorkerRules & StreamRules;
  /** What is done about what was found. */
  response: ResponseWork;
  isAllowed: () => Promise<boolean>;
  /** A name that no process has, or has had. */
  executorId: string;
  /** The process must end: others take it for dead. Its parent starts another. */
  onLost: (reason: Error) => void;
  clock: Clock;
  log: Speaker;
}

export interface ResponseWork {
  lane: Lane;
  /** Looks at every log that passes on the stream. */
  watch: StreamWatch;
  run(workflows: WorkflowEngine): void;
  close(): Promise<void>;
}

export interface Worker {
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A writer without a sign of life for so long has ended. */
const WRITER_AWAY_SECONDS = 90;
/** Where there is no writer, one may just be starting, with a clock that is a little behind. */
const NO_WRITER_MS = 5000;
const BATCHES_AT_ONCE = 16;
const BATCHES_LOOK_MS = 200;
const BACKFILL_LOOK_MS = 1000;
const WARM_UP_MS = 30_000;

/** What works in the background: the schedule of the rules, their backfills, the rules on the stream, and the response. */
export function createWorker(parts: WorkerParts): Worker {
  const { databaseUrl, db, logStore, writers, rules, response, isAllowed, executorId, onLost, clock, log } = parts;
  const accounting = createAccountingStore(db);
  const schedule = createScheduleStore(db);
  const backfills = createBackfillStore(db);
  const stream = createStreamStore(db);

  async function watermark(): Promise<Date> {
    return (await writers.lowest(WRITER_AWAY_SECONDS)) ?? new Date(clock.now().getTime() - NO_WRITER_MS);
  }

  const [scheduled, streamed] = [createRuleCache({ rules, clock }), createRuleCache({ rules, clock })];
  const scan = createScanService({
    logStore,
    listRules: async () => scheduled.load(await accounting.listOwned("schedule")),
    generation: () => stream.generation(),
    clock,
    log,
  });
  const batches = createBatchService({ schedule, rules, scan, silentSources: () => stream.silentSources(), log });
  const backfill = createBackfillService({ backfills, rules, log });
  const workflows = createWorkflowEngine({
    url: databaseUrl,
    executorId,
    lanes: [
      {
        name: SCHEDULED_LANE,
        atOnce: BATCHES_AT_ONCE,
        lookMs: BATCHES_LOOK_MS,
        run: (id) => batches.run(idOfWorkflow(id)),
      },
      { name: BACKFILL_LANE, atOnce: 1, lookMs: BACKFILL_LOOK_MS, run: (id) => backfill.run(idOfWorkflow(id)) },
      response.lane,
    ],
    onLost,
    clock,
    log,
  });
  const shared = { logStore, watermark, isAllowed, clock, log };
  const dispatcher = createDispatcherWorker({ ...shared, accounting, schedule, backfills, workflows, scan });
  const streaming = createStreamWorker({
    ...shared,
    worker: executorId,
    stream,
    rules,
    watch: response.watch,
    listStreaming: async () => streamed.load(await accounting.listOwned("stream")),
  });

  /** Before it takes over what others do. With nothing warm it would do so anyway, only later. */
  async function warmUp(): Promise<void> {
    const over = new AbortController();
    const warming = watermark().then((below) => scan.warmUp(below));
    await Promise.race([warming, clock.sleep(WARM_UP_MS, over.signal)])
      .catch((error: unknown) => log.warn({ err: error }, "worker begins without having read the rules"))
      .finally(() => over.abort());
  }

  return {
    async start() {
      await warmUp();
      await workflows.start();
      dispatcher.run();
      streaming.run();
      response.run(workflows);
    },

    async close() {
      await Promise.all([dispatcher.close(), streaming.close(), response.close()]);
      await workflows.close();
    },
  };
}
