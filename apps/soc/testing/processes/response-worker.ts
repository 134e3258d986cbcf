import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { createWorkflowEngine } from "../../src/adapters/dbos.ts";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { buildShowcase } from "../../src/demo/showcase.ts";
import { createBase } from "../../src/foundation/base.ts";
import { createShowcaseClock } from "../../src/foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../src/foundation/yaml/local-yaml.ts";
import { createGate } from "../../src/response/approvals/approval-gate.ts";
import { DUE_EXECUTIONS } from "../../src/response/executions/execution-work.store.ts";
import { createExecutionsWorker, createPlaybooksLane } from "../../src/response/executions/executions.worker.ts";
import type { Adapter } from "../fixtures/response-actions.ts";
import { createResponseParts } from "../harness/response-parts.ts";
import { createPlaceNames } from "../matrices/response-place-names.ts";

const { WORKER_DATABASE = "", WORKER_ADAPTER = "", WORKER_EXECUTOR = "" } = process.env;
const clock = createClock();
const log = createLog({ clock, level: "warn" });
const database = createDatabase({
  url: WORKER_DATABASE,
  migrationsFolder: "",
  clock,
  log,
  onFirstAnswer: async () => undefined,
});
const base = createBase({
  yaml: LOCAL_YAML,
  mode: "real",
  // The tables exist already, so the availability check always succeeds.
  database: { ...database, isAvailable: async () => true },
  showcase: createShowcaseClock(clock, buildShowcase),
  clock,
  ids: createIds(clock),
  log,
});

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

/** The progress of an execution in this process, and the crash point at which it must stop. */
interface Course {
  execution_id: string;
  stopsAt: string;
  toPlaceName: (place: string, step_id: string) => string;
}

const courses = new Map<string, Course>();
const current = new AsyncLocalStorage<Course>();

async function findCourse(execution_id: string): Promise<Course> {
  const known = courses.get(execution_id);
  if (known) return known;
  const stopsAt = await (await fetch(`${WORKER_ADAPTER}stops/${execution_id}`)).text();
  const course = { execution_id, stopsAt, toPlaceName: createPlaceNames() };
  courses.set(execution_id, course);
  return course;
}

/** Blocks at the crash point, so that the test can kill this process or the database exactly there. */
async function onCheckpoint(place: string, step_id: string): Promise<void> {
  const course = current.getStore();
  if (!course || course.toPlaceName(place, step_id) !== course.stopsAt) return;
  course.stopsAt = "";
  await fetch(`${WORKER_ADAPTER}held/${course.execution_id}`);
}

const parts = createResponseParts(base, adapter, createGate({ ...base, fourEyes: false }));
const interpreter = parts.interpreter(onCheckpoint);
const lane = createPlaybooksLane({
  run: async (handed) => current.run(await findCourse(handed.execution_id), () => interpreter.run(handed)),
});
const workflows = createWorkflowEngine({
  url: WORKER_DATABASE,
  executorId: WORKER_EXECUTOR,
  lanes: [lane],
  dueWork: base.dueWork,
  onLeaseLost(reason) {
    log.error({ err: reason }, "worker ends");
    process.exit(70);
  },
  clock,
  log,
});
const dispatcher = createExecutionsWorker({
  work: parts.work,
  hasDue: base.dueWork.watch(DUE_EXECUTIONS),
  workflows,
  audit: base.audit,
  isAllowed: async () => true,
  clock,
  log,
});
await workflows.start();
dispatcher.start();
process.stdout.write("worker is ready\n");
process.once("SIGTERM", () => {
  void dispatcher
    .close()
    .then(() => workflows.close())
    .then(() => database.close())
    .finally(() => process.exit(0));
});
