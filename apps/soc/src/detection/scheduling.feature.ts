import type { AlertsService } from "../alerts/module.ts";
import type { Background, Base, Registrations, Work } from "../foundation/base.ts";
import type { Db, Tx } from "../foundation/database/tables.ts";
import type { WorkflowEngine } from "../foundation/workflows/workflow-engine.ts";
import type { PartitionWork } from "../logs/module.ts";
import type { LogStore } from "../ports/log-store.ts";
import { createPartitionEvaluation } from "./partitions/partition-evaluation.ts";
import { createSegmentScan } from "./partitions/segment-scan.ts";
import { createSegmentsStore } from "./partitions/segments.store.ts";
import { createStreamPosition } from "./partitions/stream-position.worker.ts";
import { createAccountingStore, createCoverageWriter } from "./scheduling/accounting.store.ts";
import { createBackfillService } from "./scheduling/backfill.service.ts";
import { createBackfillStore } from "./scheduling/backfill.store.ts";
import {
  BACKFILL_LANE,
  createDispatcherWorker,
  parseWorkflowId,
  SCHEDULED_LANE,
} from "./scheduling/dispatcher.worker.ts";
import { createBatchService, type WorkerRules } from "./scheduling/dispatcher-batch.service.ts";
import { createScanService } from "./scheduling/dispatcher-scan.service.ts";
import { createGapsWriter } from "./scheduling/gaps.store.ts";
import { HISTORY_RETENTION_MS } from "./scheduling/history.ts";
import { createRuleCache } from "./scheduling/rule-cache.ts";
import { createScheduleStore } from "./scheduling/schedule.store.ts";
import { createStreamStore } from "./scheduling/stream.store.ts";
import { createStreamWorker } from "./scheduling/stream.worker.ts";
import { createStreamLagWorker } from "./scheduling/stream-lag.worker.ts";
import type { StreamRules, StreamWatch } from "./scheduling/stream-rules.ts";

/** The partitions of the logs, whose owners evaluate what they store. */
export interface Partitions {
  count: number;
  findFrontier: (tx: Db) => Promise<Date>;
  createWork(work: PartitionWork): readonly Background[];
}

export interface SchedulingNeeds {
  logStore: Pick<LogStore, "lane" | "isAvailable">;
  /** The lowest ingest time that a writer seen within this many seconds may still write to. */
  writers: { lowest(withinSeconds: number): Promise<Date | undefined> };
  rules: WorkerRules & StreamRules;
  /** Creates an observer of every log on the stream. */
  createWatch: () => StreamWatch;
  /** Undefined if one worker reads logs from the store and evaluates them. */
  partitions?: Partitions | undefined;
  /** Receives an alert when the stream falls behind. */
  alerts: Pick<AlertsService, "create">;
}

/** A writer without a heartbeat for this long has ended. */
const WRITER_EXPIRES_SECONDS = 90;
/** Even without any writer, one with a slightly slow clock may be starting at this moment. */
const NO_WRITER_MS = 5000;
const BATCHES_CONCURRENCY = 16;

/** Evaluates rules in the background: on their schedule, as backfills, and on the stream of new logs. */
export function createScheduling(base: Pick<Base, "db" | "runtime" | "clock" | "log">, needs: SchedulingNeeds) {
  const { db, runtime, clock, log } = base;
  const stream = createStreamStore(db);
  const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;
  return {
    services: { streamHealth: () => stream.health() },
    registrations: {
      /** The matches of the demo's rules are stored with them, so their past is not evaluated again. */
      storeDemo: (tx: Tx) => createCoverageWriter(tx).accountAllRan(),
      sweeps: [
        {
          name: "detection gaps",
          run: () => createGapsWriter(db).sweep(new Date(clock.now().getTime() - HISTORY_RETENTION_MS)),
        },
      ],
      serving: [createStreamLagWorker({ ...needs, stream, isAllowed, clock, log })],
      createWork: ({ executorId }: { executorId: string }) => createSchedulingWork(base, needs, executorId),
    } satisfies Registrations,
  };
}

function createSchedulingWork(
  { db, runtime, clock, log }: Pick<Base, "db" | "runtime" | "clock" | "log">,
  { logStore, writers, rules, createWatch, partitions }: SchedulingNeeds,
  executorId: string,
): Work {
  const accounting = createAccountingStore(db, { findFrontier: partitions?.findFrontier });
  const schedule = createScheduleStore(db);
  const backfills = createBackfillStore(db);
  const stream = createStreamStore(db);
  const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;

  async function watermark(): Promise<Date> {
    return (await writers.lowest(WRITER_EXPIRES_SECONDS)) ?? new Date(clock.now().getTime() - NO_WRITER_MS);
  }

  const [scheduled, streamed] = [createRuleCache({ rules, clock }), createRuleCache({ rules, clock })];
  const listScheduled = async () => scheduled.load(await accounting.listOwned("schedule"));
  const listStreaming = async () => streamed.load(await accounting.listOwned("stream"));
  const reading = createScanService({
    logs: logStore.lane("rules"),
    listRules: listScheduled,
    generation: () => stream.generation(),
    clock,
    log,
  });
  const segments = createSegmentsStore(db);
  const scan = partitions ? createSegmentScan({ segments, partitions: partitions.count, scan: reading }) : reading;
  const batches = createBatchService({ schedule, rules, scan, silentSources: () => stream.silentSources(), log });
  const backfill = createBackfillService({ backfills, rules, log });
  const shared = { watermark, isAllowed, clock, log };

  return {
    lanes: [
      {
        name: SCHEDULED_LANE,
        concurrency: BATCHES_CONCURRENCY,
        run: (id) => batches.run(parseWorkflowId(id)),
      },
      { name: BACKFILL_LANE, concurrency: 1, run: (id) => backfill.run(parseWorkflowId(id)) },
    ],

    async warmUp() {
      await scan.warmUp(await watermark());
    },

    background(workflows: WorkflowEngine): readonly Background[] {
      const dispatcher = createDispatcherWorker({
        ...shared,
        logStore,
        accounting,
        schedule,
        backfills,
        workflows,
        scan,
      });
      const evaluating = { stream, rules, watch: createWatch(), listStreaming };
      if (partitions) {
        const requireClock = () => runtime.requireClock();
        const evaluation = createPartitionEvaluation({ ...evaluating, listScheduled, requireClock, clock, log });
        const owning = partitions.createWork({ worker: executorId, evaluation, isAllowed });
        const sweep = () => segments.sweep();
        return [dispatcher, ...owning, createStreamPosition({ ...shared, worker: executorId, stream, sweep })];
      }
      const logs = logStore.lane("stream");
      return [dispatcher, createStreamWorker({ ...shared, ...evaluating, logs, worker: executorId })];
    },
  };
}
