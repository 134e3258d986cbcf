import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { createRecentLogs } from "../../src/adapters/clickhouse/recent-logs.ts";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { createWorker } from "../../src/boot/work.ts";
import { createBacktestsWorker } from "../../src/detection/backtests/backtests.worker.ts";
import { createLogReader } from "../../src/detection/execution/log-reader.ts";
import { createVerdictCountsStore } from "../../src/detection/feedback/verdict-counts.store.ts";
import { createScheduling } from "../../src/detection/scheduling.feature.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { ALL_SITES } from "../../src/foundation/caller/caller.ts";
import { createRuntimeService } from "../../src/foundation/runtime/runtime.service.ts";
import { createWorkPoller } from "../../src/foundation/work-poller.ts";
import { createWritersStore } from "../../src/logs/intake/pipeline/writers.store.ts";
import { createTestedRules } from "../fixtures/detection-rules.ts";
import { openPartitionStreams } from "../harness/partition-streams.ts";
import { createIntake } from "../harness/shippers-intake.ts";

const { WORKER_DATABASE = "", WORKER_LOG_STORE = "", WORKER_RECENT_LOGS = "", WORKER_EXECUTOR = "" } = process.env;
const { WORKER_STREAM = "", WORKER_PARTITIONS = "0" } = process.env;
const clock = createClock();
const log = createLog({ clock, level: "warn" });
const { db } = createDatabase({
  url: WORKER_DATABASE,
  migrationsFolder: "",
  clock,
  log,
  onFirstAnswer: async () => undefined,
});
const recent = createRecentLogs({ folder: WORKER_RECENT_LOGS, log });
const logStore = createClickhouseLogStore({ url: WORKER_LOG_STORE, retentionDays: 90, recent });
const database = { db, isAvailable: async () => true };
const runtime = createRuntimeService({ mode: "real", database });
const streams =
  WORKER_STREAM === ""
    ? undefined
    : openPartitionStreams({ db, runtime }, Number(WORKER_PARTITIONS), { url: WORKER_STREAM });
const intake = streams && createIntake({ db, logStore, streams, log });
const needs = {
  logStore,
  partitions: intake?.partitions,
  writers: intake?.writers ?? createWritersStore(db),
  rules: createTestedRules({ db, logStore, clock, ids: createIds(clock) }),
  createWatch: () => ({ refresh: async () => false, onLogs: async () => undefined }),
  // Alerts are raised in processes that serve requests.
  alerts: { create: () => Promise.reject(new Error("is not part of this process")) },
};
const backtests = createBacktestsWorker({
  worker: WORKER_EXECUTOR,
  db,
  logs: createLogReader(logStore.lane("previews"), ALL_SITES),
  verdicts: createVerdictCountsStore(db),
  outbox: { publish: async () => undefined },
  audit: createAuditStore(createIds(clock)),
  isAllowed: async () => true,
  clock,
  log,
});
const scheduling = createScheduling({ db, runtime, clock, log }, needs).registrations.createWork({
  executorId: WORKER_EXECUTOR,
});
const worker = createWorker({
  databaseUrl: WORKER_DATABASE,
  works: [scheduling, { background: () => [backtests] }],
  dueWork: createWorkPoller({ db, clock, log }),
  executorId: WORKER_EXECUTOR,
  onLeaseLost(reason) {
    log.error({ err: reason }, "worker ends");
    process.exit(70);
  },
  clock,
  log,
});
await worker.start();
process.stdout.write("worker is ready\n");
process.once("SIGTERM", () => {
  void worker.close().finally(() => process.exit(0));
});
