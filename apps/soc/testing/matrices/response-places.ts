import { sql } from "kysely";
import type { Base } from "../../src/foundation/base.ts";
import { createGate } from "../../src/response/approvals/approval-gate.ts";
import { createApprovalsService } from "../../src/response/approvals/approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "../../src/response/approvals/approvals.store.ts";
import type { StepRow } from "../../src/response/executions/execution.ts";
import { createMemoryAdapter } from "../fixtures/response-actions.ts";
import { createResponseParts } from "../harness/response-parts.ts";
import { driveToEnd } from "./response-drive.ts";
import { createPlaceNames } from "./response-place-names.ts";

const ANALYST = { kind: "user", username: "amina.farouk", role: "tier3" } as const;
const SENSOR = { kind: "user", username: "sensor", role: "agent" } as const;
const MANAGER = { kind: "user", username: "manager", role: "manager" } as const;
/** The parameters of all playbooks. */
export const PARAMETERS = {
  sender: "it@phish.example",
  url: "https://phish.example/a",
  address: "198.51.100.77",
  device_id: "gw-7",
  hash: "ab12",
  owner: "layla.haddad",
};

/** A crash point in a playbook: a point where the process could end. */
export interface Place {
  playbook_id: string;
  name: string;
  place: string;
  step_id: string;
}

/** The effects of an execution; keys are without its id. */
export interface LeftBehind {
  status: string;
  steps_completed: number;
  cases: number;
  comments: number;
  tasks: number;
  keys: string[];
}

/** The ten playbooks on a real database with real approvals, and their crash points. */
export async function createPlaybookWorld(world: Base) {
  const { db, runtime, audit, ids } = world;
  const adapter = createMemoryAdapter();
  let made = 0;
  const gate = createGate({ db, audit, ids, fourEyes: false });
  const parts = createResponseParts(world, adapter, gate);
  const approvals = createApprovalsService({
    runtime,
    stores: { database: createApprovalsStore(db), showcase: createShowcaseApprovalsStore([]) },
    executions: parts.executions,
    audit,
  });
  const builtIns = await parts.builtIns();
  await db.transaction().execute((tx) => parts.playbooks.seed(tx, builtIns));
  const playbooks = (await parts.playbooks.list({})).items;

  const approve = (id: string) =>
    db.transaction().execute((tx) => approvals.decide(tx, MANAGER, id, { approved: true }));

  /** Starts an execution for a new alert. The callback runs before any worker can claim the execution. */
  async function begin(playbookId: string, beforeTaken: (execution_id: string) => void = () => undefined) {
    made += 1;
    const about = { host: `WS-${made}`, user: `user${made}`, site: "office" };
    const report = { title: `finding ${made}`, source: "sensor", ...about };
    const { alert } = await db.transaction().execute((tx) => parts.alerts.create(tx, SENSOR, report));
    const body = { alert_id: alert.id, parameters: PARAMETERS };
    const execute = async (approvalId?: string) => {
      const plan = await parts.executions.plan(ANALYST, { playbookId, approvalId, body });
      return db.transaction().execute(async (tx) => {
        const { answer } = await parts.executions.execute(tx, plan);
        if ("execution_id" in answer) beforeTaken(answer.execution_id);
        return answer;
      });
    };
    const asked = await execute();
    if ("execution_id" in asked) return asked.execution_id;
    const approval_id = asked.approval_id ?? "";
    await approve(approval_id);
    const begun = await execute(approval_id);
    if (!("execution_id" in begun)) throw new Error("an approved playbook did not start");
    return begun.execution_id;
  }

  async function leftBehind(execution_id: string, calls: ReadonlyMap<string, number>): Promise<LeftBehind> {
    const { alert_id, status, steps_completed } = await parts.executions.get(execution_id);
    const cases = await db
      .selectFrom("audit_log")
      .select("subject_id")
      .where("action", "=", "case.created")
      .where("details", "@>", sql<object>`${JSON.stringify({ alert_ids: [alert_id] })}::jsonb`)
      .execute();
    const found = cases.map(({ subject_id }) => subject_id);
    const ofCases = async (table: "case_comments" | "case_tasks") =>
      found.length === 0 ? 0 : (await db.selectFrom(table).select("id").where("case_id", "in", found).execute()).length;
    const keys = [...calls.keys()].filter((key) => key.startsWith(execution_id));
    return {
      status,
      steps_completed,
      cases: found.length,
      comments: await ofCases("case_comments"),
      tasks: await ofCases("case_tasks"),
      keys: keys.map((key) => key.slice(execution_id.length)).toSorted(),
    };
  }

  return {
    parts,
    adapter,
    playbooks,
    approvals,
    begin,
    leftBehind,

    /** Runs each playbook once without interruption, and returns its crash points and effects. */
    async survey() {
      const places: Place[] = [];
      const expected = new Map<string, LeftBehind>();
      for (const { id: playbook_id } of playbooks) {
        const execution_id = await begin(playbook_id);
        const toPlaceName = createPlaceNames();
        await driveToEnd(world, parts, {
          async onCheckpoint(place, step_id) {
            places.push({ playbook_id, name: toPlaceName(place, step_id), place, step_id });
          },
        });
        expected.set(playbook_id, await leftBehind(execution_id, adapter.calls));
      }
      return { places, expected };
    },

    /** Resumes waiting executions: their time has passed, and approvals are granted. */
    async wake(executions: readonly string[]): Promise<void> {
      await sql`UPDATE executions SET due_at = now()
        WHERE execution_id = ANY(${executions}) AND status = 'waiting' AND due_at > now() AND NOT EXISTS (
          SELECT FROM execution_steps AS step WHERE step.execution_id = executions.execution_id
            AND step.status = 'waiting' AND step.approval_id IS NOT NULL)`.execute(db);
      const asked = await db
        .selectFrom("approvals")
        .select("id")
        .where("status", "=", "pending")
        .where("execution_id", "in", executions)
        .execute();
      for (const { id } of asked) await approve(id);
    },

    async readOwners(executions: readonly string[]): Promise<Map<string, string | null>> {
      const columns = ["execution_id", "owner", "finished_at"] as const;
      const rows = await db.selectFrom("executions").select(columns).where("execution_id", "in", executions).execute();
      return new Map(rows.map(({ execution_id, owner }) => [execution_id, owner]));
    },

    async endedCount(executions: readonly string[]): Promise<number> {
      const ended = db.selectFrom("executions").select("execution_id").where("finished_at", "is not", null);
      return (await ended.where("execution_id", "in", executions).execute()).length;
    },

    /** The finished steps as stored. */
    async finishedSteps(execution_id: string): Promise<StepRow[]> {
      return db
        .selectFrom("execution_steps")
        .selectAll()
        .where("execution_id", "=", execution_id)
        .where("finished_at", "is not", null)
        .orderBy("position")
        .execute();
    },
  };
}
export type PlaybookWorld = Awaited<ReturnType<typeof createPlaybookWorld>>;
