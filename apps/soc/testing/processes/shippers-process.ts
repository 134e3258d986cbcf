import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { createLogEngine, type LogEngine } from "../../src/adapters/log-engine/log-engine.ts";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { createRuntimeService } from "../../src/foundation/runtime/runtime.service.ts";
import { intakeRoutes } from "../../src/logs/intake/intake.routes.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { noEvaluation, openPartitionStreams } from "../harness/partition-streams.ts";
import { createIntake } from "../harness/shippers-intake.ts";
import { createTestFrame } from "../harness/test-frame.ts";

// The intake as a separate process that a test can kill, configured by its environment.
const { DATABASE_URL = "", MIGRATIONS = "", LOG_FOLDER = "", ENGINE_ENTRY = "", PORT = "", DIES = "" } = process.env;
const { STREAM = "" } = process.env;
const clock = createClock();
const START_MS = 60_000;

/** The log engine of a killed process may still be shutting down. */
async function startEngine(): Promise<LogEngine> {
  const untilMs = clock.monotonicMs() + START_MS;
  for (;;) {
    const engine = createLogEngine({
      folder: LOG_FOLDER,
      program: process.execPath,
      entry: ENGINE_ENTRY,
      memoryBytes: 2 * 1024 ** 3,
      clock,
      log: silentLog,
    });
    try {
      await engine.start();
      return engine;
    } catch (error) {
      await engine.close();
      if (clock.monotonicMs() > untilMs) throw error;
      await clock.sleep(50);
    }
  }
}

const database = createDatabase({
  url: DATABASE_URL,
  migrationsFolder: MIGRATIONS,
  clock,
  log: silentLog,
  onFirstAnswer: async () => undefined,
});
while (!(await database.isAvailable())) await clock.sleep(50);
const engine = await startEngine();
const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 90 });
await store.migrate();
const die = () => process.kill(process.pid, "SIGKILL");
let insertsToLive = 3;

/** Wraps the log store so that the process dies at a chosen point of one of its first inserts. */
const deadly: Pick<LogStore, "insert" | "count"> = {
  count: (...asked) => store.count(...asked),
  async insert(batch, options) {
    insertsToLive -= 1;
    const isLast = insertsToLive === 0;
    if (isLast && DIES === "before") die();
    const inserted = store.insert(batch, options);
    // The rows are in flight; the engine completes the insert.
    if (isLast && DIES === "during") void clock.sleep(3).then(die);
    await inserted;
    if (isLast && DIES === "after") die();
  },
};
const runtime = createRuntimeService({ mode: "real", database });
const PARTITIONS = 3;
const streams =
  STREAM === "" ? undefined : openPartitionStreams({ db: database.db, runtime }, PARTITIONS, { url: STREAM });
const made = createIntake({ db: database.db, logStore: deadly, hasSession: true, ...(streams && { streams }) });
const { intake, worker, partitions, bodies } = made;
const name = `shippers ${process.pid}`;
const isAllowed = async () => true;
const [owner] = partitions?.createWork({ worker: name, evaluation: noEvaluation, isAllowed }) ?? [];
worker.start();
await owner?.start();
const app = createTestFrame();
app.decorateRequest("caller", null);
app.addHook("onRequest", async (request) => {
  request.caller = { kind: "api_key", username: "key:load", role: "agent", scopes: ["siem:ingest"] };
});
await app.register(intakeRoutes(intake, bodies), { prefix: "/api/v1" });
await app.listen({ host: "127.0.0.1", port: Number(PORT) });
async function stop(): Promise<void> {
  await app.close();
  await intake.close();
  await owner?.close();
  await worker.close();
  await streams?.close();
  await store.close();
  await engine.close();
  await database.close();
  process.exit(0);
}
process.once("SIGTERM", () => void stop());
process.stdout.write("ready\n");
