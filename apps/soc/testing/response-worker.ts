import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { createWorkflowEngine } from "../src/adapters/dbos.ts";
import { createDatabase } from "../src/adapters/postgres.ts";
import { createRuntimeService } from "../src/runtime/runtime.service.ts";
import { createExecutionsWorker, createPlaybooksLane } from "../src/soar/executions.worker.ts";
import type { Adapter } from "./response-actions.ts";
import { createMemoryGate } from "./response-gate.ts";
import { createResponseParts } from "./response-parts.ts";

const { WORKER_DATABASE = "", WORKER_ADAPTER = "", WORKER_EXECUTOR = "", WORKER_STOPS_AT = "0" } = process.env;
const clock = createClock();
const ids = createIds(clock);
const log = createLog({ clock, level: "warn" });
const database = createDatabase({
  url: WORKER_DATABASE,
  migrationsFolder: "",
  clock,
  log,
  onFirstAnswer: async () => undefined,
});
// The tables are there already, and nobody asks for its presence here.
const runtime = createRuntimeService({ mode: "real", database: { isAvailable: async () => true } });

const adapter: Adapter = {
  async act(action, key, params, signal) {
    const answer = await fetch(WORKER_ADAPTER, {
      method: "POST",
      headers: { "idempotency-key": key },
      body: JSON.stringify({ action, params }),
      signal,
    });
    return { status: answer.status };
  },
};

let passed = 0;
/** Stays at one place for ever, so that it can be killed exactly there. */
async function passing(place: string, step_id: string): Promise<void> {
  passed += 1;
  if (passed !== Number(WORKER_STOPS_AT)) return;
  process.stdout.write(`stopped at ${place} ${step_id}\n`);
  await new Promise(() => undefined);
}

const parts = createResponseParts(
  { db: database.db, runtime, clock, ids },
  adapter,
  createMemoryGate(() => ids.next()),
);
const workflows = createWorkflowEngine({
  url: WORKER_DATABASE,
  executorId: WORKER_EXECUTOR,
  lanes: [createPlaybooksLane(parts.interpreter(passing))],
  onLost(reason) {
    log.error({ err: reason }, "worker ends");
    process.exit(70);
  },
  clock,
  log,
});
const dispatcher = createExecutionsWorker({ work: parts.work, workflows, isAllowed: async () => true, clock, log });
await workflows.start();
dispatcher.run();
process.stdout.write("worker is ready\n");
process.once("SIGTERM", () => {
  void dispatcher
    .close()
    .then(() => workflows.close())
    .then(() => database.close())
    .finally(() => process.exit(0));
});
