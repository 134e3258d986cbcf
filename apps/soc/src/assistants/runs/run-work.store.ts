import { Problem } from "@kit/problem";
import { type Kysely, sql } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { InvestigationRow } from "./investigation.ts";
import type { RecordedStep, StepKey } from "./recording.ts";
import { boundText, toBounded } from "./recording-limits.ts";
import type { Conclusion } from "./run-investigation.ts";

/** A claimed investigation. The continuation is a fencing token: earlier claims can no longer write. */
export interface ClaimedRun {
  investigation_id: string;
  continuation: number;
}

/** The owner of investigations. */
export interface RunClaim {
  investigation_id: string;
  owner: string;
}

/** Claims, owns and records investigations for workers. */
export interface RunWork {
  /** Claims as many waiting investigations as the width over all workers allows, most severe first. */
  claim(width: number): Promise<ClaimedRun[]>;
  /** Lists claimed investigations that have not ended for this long. */
  listOverdue(olderThanSeconds: number, limit: number): Promise<ClaimedRun[]>;
  /**
   * Lets another worker continue after a growing delay. After too many failures without a new step, the investigation
   * ends and is returned.
   */
  handOutAgain(handed: ClaimedRun): Promise<InvestigationRow | undefined>;
  /** Undefined if the claim is not the current one or the investigation has ended. */
  take(handed: ClaimedRun, owner: string): Promise<InvestigationRow | undefined>;
  /** Throws `Lost` if the owner no longer holds the investigation. */
  storeStep(hold: RunClaim, step: RecordedStep): Promise<void>;
  /** Makes a change once within its transaction and returns the same result when repeated. */
  once<Result>(tx: Tx, hold: RunClaim, key: StepKey, work: () => Promise<Result>): Promise<Result>;
  /** Reserves one of the instances for this investigation. Undefined if all are in use. */
  takeInstance(hold: RunClaim, agent_id: AgentId, run_id: string, instances: number): Promise<string | undefined>;
  /** Ends the run of an agent. Returns false if it has already ended. */
  endRun(tx: Tx, hold: RunClaim, agent_id: AgentId, run: EndedRun): Promise<boolean>;
  /** Stores the result in a transaction. Undefined if the owner no longer holds the investigation. */
  finish(tx: Tx, hold: RunClaim, conclusion: Conclusion, now: Date): Promise<InvestigationRow | undefined>;
  /** Deletes a batch of records that ended before this time. */
  forget(before: Date, limit: number): Promise<number>;
  /** Deletes a batch of steps recorded before this time. */
  forgetSteps(before: Date, limit: number): Promise<number>;
}

export interface EndedRun {
  status: "completed" | "failed" | "cancelled";
  error: string | null;
  now: Date;
}

/** The investigation was cancelled, or another worker took it over. */
export class Lost extends Error {}

const MAX_FAILURES = 8;
const TOO_OFTEN = "the worker was interrupted too often";
const CLAIMS_LOCK = "claims of investigations";
const LIMITS = { text: 8000, summary: 32_000, findings: 1_000_000, list: 32_000 } as const;

export const DUE_INVESTIGATIONS = sql`SELECT FROM investigations WHERE due_at <= now()`;

export function createRunWork(db: Kysely<Tables>): RunWork {
  const isHeld = ({ investigation_id, owner }: RunClaim) =>
    sql<boolean>`EXISTS (SELECT FROM investigations WHERE investigation_id = ${investigation_id}
      AND owner = ${owner} AND status = 'running')`;

  async function holdShared(tx: Tx, { investigation_id, owner }: RunClaim): Promise<void> {
    const held = await tx
      .selectFrom("investigations")
      .select("investigation_id")
      .where("investigation_id", "=", investigation_id)
      .where("owner", "=", owner)
      .where("status", "=", "running")
      // Either a cancellation waits for the end of this change, or this change does not happen.
      .forShare()
      .executeTakeFirst();
    if (!held) throw new Problem("conflict", "the investigation was cancelled");
  }

  return {
    claim: (width) =>
      db.transaction().execute(async (tx) => {
        const { rows: locks } = await sql<{ is_locked: boolean }>`
          SELECT pg_try_advisory_xact_lock(hashtextextended(${CLAIMS_LOCK}, 0)) AS is_locked`.execute(tx);
        if (locks[0]?.is_locked !== true) return [];
        const { rows } = await sql<ClaimedRun>`
          UPDATE investigations
          SET continuation = continuation + 1, due_at = NULL, handed_out_at = now(), owner = NULL
          WHERE investigation_id IN (
            SELECT investigation_id FROM investigations WHERE due_at <= now()
            ORDER BY trigger = 'alert',
              array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], severity), created_at
            LIMIT greatest(0, ${width}::int - (
              SELECT count(*)::int FROM investigations WHERE ended_at IS NULL AND due_at IS NULL))
            FOR UPDATE SKIP LOCKED)
          RETURNING investigation_id, continuation`.execute(tx);
        return rows;
      }),

    async listOverdue(olderThanSeconds, limit) {
      const { rows } = await sql<ClaimedRun>`
        SELECT investigation_id, continuation FROM investigations
        WHERE ended_at IS NULL AND due_at IS NULL AND handed_out_at < now() - make_interval(secs => ${olderThanSeconds})
        ORDER BY handed_out_at LIMIT ${limit}`.execute(db);
      return rows;
    },

    async handOutAgain({ investigation_id, continuation }) {
      // Counts consecutive failures: a step since this claim shows progress, and the number of steps is limited.
      const failed = sql`CASE WHEN EXISTS (SELECT FROM investigation_steps AS steps
        WHERE steps.investigation_id = investigations.investigation_id AND steps.at > handed_out_at) THEN 0 ELSE failures END`;
      const mayGoOn = sql`${failed} < ${MAX_FAILURES}`;
      const { rows } = await sql<InvestigationRow>`
        UPDATE investigations SET owner = NULL, failures = ${failed} + 1,
          due_at = CASE WHEN ${mayGoOn} THEN now() + make_interval(secs => least(30, power(2, ${failed}) / 2)) END,
          status = CASE WHEN ${mayGoOn} THEN status ELSE 'failed' END,
          ended_at = CASE WHEN ${mayGoOn} THEN NULL ELSE now() END,
          error = CASE WHEN ${mayGoOn} THEN error ELSE ${TOO_OFTEN} END
        WHERE investigation_id = ${investigation_id} AND continuation = ${continuation}
          AND ended_at IS NULL AND due_at IS NULL
        RETURNING *`.execute(db);
      const [row] = rows;
      if (!row?.ended_at) return undefined;
      await sql`UPDATE agent_runs SET status = 'cancelled', ended_at = now()
        WHERE investigation_id = ${investigation_id} AND status = 'running'`.execute(db);
      return row;
    },

    take: ({ investigation_id, continuation }, owner) =>
      db
        .updateTable("investigations")
        .set({ owner, status: "running", started_at: sql`coalesce(started_at, now())` })
        .where("investigation_id", "=", investigation_id)
        .where("continuation", "=", continuation)
        .where("ended_at", "is", null)
        .where("due_at", "is", null)
        .returningAll()
        .executeTakeFirst(),

    async storeStep(hold, step) {
      const { numAffectedRows = 0n } = await sql`
        INSERT INTO investigation_steps
          (investigation_id, agent_id, sequence, kind, name, arguments, result, is_cut, error_code, at)
        SELECT ${hold.investigation_id}, ${step.agent_id}, ${step.sequence}::int, ${step.kind}, ${step.name},
          ${step.arguments}, ${step.result}, ${step.is_cut}::boolean, ${step.error_code}, ${step.at}::timestamptz
        WHERE ${isHeld(hold)}`.execute(db);
      if (numAffectedRows !== 1n) throw new Lost("the investigation is no longer held");
    },

    async once<Result>(tx: Tx, hold: RunClaim, key: StepKey, work: () => Promise<Result>): Promise<Result> {
      await holdShared(tx, hold);
      const place = { investigation_id: hold.investigation_id, ...key };
      const fresh = await tx
        .insertInto("investigation_effects")
        .values({ ...place, result: null })
        .onConflict((taken) => taken.columns(["investigation_id", "agent_id", "sequence"]).doNothing())
        .returning("sequence")
        .executeTakeFirst();
      if (!fresh) {
        const { rows } = await sql<{ result: Result }>`SELECT result FROM investigation_effects
          WHERE investigation_id = ${place.investigation_id} AND agent_id = ${key.agent_id}
            AND sequence = ${key.sequence}`.execute(tx);
        const [done] = rows;
        if (!done) throw new Problem("conflict", "the effect of this step was deleted");
        return done.result;
      }
      const result = await work();
      await sql`UPDATE investigation_effects SET result = ${JSON.stringify(result ?? null)}::jsonb
        WHERE investigation_id = ${place.investigation_id} AND agent_id = ${key.agent_id}
          AND sequence = ${key.sequence}`.execute(tx);
      return result;
    },

    takeInstance: ({ investigation_id, owner }, agent_id, run_id, instances) =>
      db.transaction().execute(async (tx) => {
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`instances of ${agent_id}`}, 0))`.execute(tx);
        const { rows } = await sql<{ id: string }>`
          INSERT INTO agent_runs (id, investigation_id, agent_id, status, started_at)
          SELECT ${run_id}, ${investigation_id}, ${agent_id}, 'running', now()
          WHERE ${isHeld({ investigation_id, owner })} AND (
            EXISTS (SELECT FROM agent_runs WHERE investigation_id = ${investigation_id} AND agent_id = ${agent_id})
            OR (SELECT count(*) FROM agent_runs WHERE agent_id = ${agent_id} AND status = 'running') < ${instances}::int)
          ON CONFLICT (investigation_id, agent_id) DO UPDATE SET agent_id = EXCLUDED.agent_id
          RETURNING id`.execute(tx);
        return rows[0]?.id;
      }),

    async endRun(tx, { investigation_id, owner }, agent_id, { status, error, now }) {
      const { numUpdatedRows } = await tx
        .updateTable("agent_runs")
        .set({ status, error: error === null ? null : boundText(error, LIMITS.text), ended_at: now })
        .where("investigation_id", "=", investigation_id)
        .where("agent_id", "=", agent_id)
        .where("status", "=", "running")
        .where(isHeld({ investigation_id, owner }))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async finish(tx, { investigation_id, owner }, conclusion, now) {
      const { status, verdict, confidence, summary, case_id, error } = conclusion;
      const json = <Value>(value: Value, maxBytes: number) =>
        sql<Value>`${JSON.stringify(toBounded(value, maxBytes).value)}::jsonb`;
      const ended = await tx
        .updateTable("investigations")
        .set({
          ...{ status, verdict, confidence, case_id, ended_at: now, owner: null },
          summary: summary === null ? null : boundText(summary, LIMITS.summary),
          error: error === null ? null : boundText(error, LIMITS.text),
          findings: json(conclusion.findings, LIMITS.findings),
          mitre_techniques: json(conclusion.mitre_techniques, LIMITS.list),
          recommended_actions: json(conclusion.recommended_actions, LIMITS.list),
          agents: json(conclusion.agents, LIMITS.list),
        })
        .where("investigation_id", "=", investigation_id)
        .where("owner", "=", owner)
        .where("status", "=", "running")
        .returningAll()
        .executeTakeFirst();
      if (!ended) return undefined;
      await tx
        .updateTable("agent_runs")
        .set({ status: "cancelled", ended_at: now })
        .where("investigation_id", "=", investigation_id)
        .where("status", "=", "running")
        .execute();
      return ended;
    },

    async forget(before, limit) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM investigations WHERE investigation_id IN (
          SELECT investigation_id FROM investigations
          WHERE created_at < ${before} AND ended_at IS NOT NULL ORDER BY created_at LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows);
    },

    async forgetSteps(before, limit) {
      const { rows } = await sql<{ deleted: number }>`
        WITH ended AS (
          SELECT DISTINCT investigation_id FROM (
            SELECT investigation_id FROM investigation_steps WHERE at < ${before} ORDER BY at LIMIT ${limit}) AS oldest),
        steps AS (DELETE FROM investigation_steps WHERE investigation_id IN (SELECT * FROM ended) RETURNING 1),
        effects AS (DELETE FROM investigation_effects WHERE investigation_id IN (SELECT * FROM ended) RETURNING 1)
        SELECT (SELECT count(*) FROM steps)::int + (SELECT count(*) FROM effects)::int AS deleted`.execute(db);
      return rows[0]?.deleted ?? 0;
    },
  };
}
