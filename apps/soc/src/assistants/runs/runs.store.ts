import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { hasValues, pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import {
  type Investigation,
  type InvestigationDetail,
  type InvestigationRow,
  NEWEST_FIRST,
  type ShownInvestigation,
} from "./investigation.ts";
import type { RecordedStep } from "./recording.ts";
import type { ListInvestigationsQuery } from "./runs.schema.ts";

export interface AgentRun {
  id: string;
  investigation_id: string;
  agent_id: string;
  status: "running" | "completed" | "failed" | "cancelled";
  started_at: Date;
  ended_at: Date | null;
  error: string | null;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    investigations: InvestigationRow;
    agent_runs: AgentRun;
    investigation_steps: RecordedStep & { investigation_id: string };
    investigation_effects: { investigation_id: string; agent_id: string; sequence: number; result: unknown };
  }
}

/** The numbers of waiting and running investigations, and of those dropped in the last day. */
export interface QueueCounts {
  queued: number;
  running: number;
  dropped_24h: number;
}

export interface RunsStore {
  list(query: ListInvestigationsQuery): Promise<Page<Investigation>>;
  find(investigation_id: string): Promise<InvestigationDetail | undefined>;
  /** Returns the steps in the order of agents and sequences. */
  listSteps(investigation_id: string): Promise<RecordedStep[]>;
  countQueue(now: Date): Promise<QueueCounts>;
}

const COLUMNS = [
  ...([
    "investigation_id as id",
    "investigation_id",
    "status",
    "trigger",
    "alert_id",
    "severity",
    "has_cps_assets",
    "requested_by",
  ] as const),
  ...(["verdict", "confidence", "summary", "agents", "recommended_actions", "mitre_techniques", "case_id"] as const),
  ...(["error", "created_at", "started_at", "ended_at"] as const),
] as const;
const FILTERS = ["status", "verdict", "alert_id", "case_id"] as const;
const STEP = [
  ...(["agent_id", "sequence", "kind", "name", "arguments", "result", "is_cut", "error_code", "at"] as const),
] as const satisfies readonly (keyof RecordedStep)[];
const DAY_MS = 24 * 60 * 60_000;

export function createRunsStore(db: Db): RunsStore {
  return {
    list({ agent_id, ...query }) {
      let listed = db.selectFrom("investigations").select([...COLUMNS]);
      for (const filter of FILTERS) {
        const value = query[filter];
        if (value !== undefined) listed = listed.where(filter, "=", value);
      }
      if (agent_id !== undefined) {
        listed = listed.where((of) =>
          of.exists(
            of
              .selectFrom("agent_runs")
              .select("agent_runs.id")
              .whereRef("agent_runs.investigation_id", "=", "investigations.investigation_id")
              .where("agent_runs.agent_id", "=", agent_id),
          ),
        );
      }
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    async find(investigation_id) {
      if (!isUuid(investigation_id)) return undefined;
      return db
        .selectFrom("investigations")
        .select([...COLUMNS, "findings", "alert_context"])
        .where("investigation_id", "=", investigation_id)
        .executeTakeFirst();
    },

    listSteps: (investigation_id) =>
      db
        .selectFrom("investigation_steps")
        .select([...STEP])
        .where("investigation_id", "=", investigation_id)
        .orderBy("agent_id")
        .orderBy("sequence")
        .execute(),

    async countQueue(now) {
      const { rows } = await sql<QueueCounts>`
        SELECT (SELECT count(*)::int FROM investigations WHERE ended_at IS NULL AND due_at IS NOT NULL) AS queued,
          (SELECT count(*)::int FROM investigations WHERE ended_at IS NULL AND due_at IS NULL) AS running,
          (SELECT count(*)::int FROM investigations
            WHERE was_dropped AND ended_at > ${new Date(now.getTime() - DAY_MS)}) AS dropped_24h`.execute(db);
      return rows[0] ?? { queued: 0, running: 0, dropped_24h: 0 };
    },
  };
}

/** The writes of a transaction and the reads that they need. */
export interface RunsWriter {
  /** Returns false if the event has already started an investigation. */
  insert(investigation: InvestigationRow): Promise<boolean>;
  /** Stores an investigation that has already ended, for a demo. */
  insertEnded(investigation: InvestigationRow): Promise<void>;
  lock(investigation_id: string): Promise<InvestigationRow | undefined>;
  /** Ends the investigation and its runs: its worker can no longer write. */
  cancel(investigation_id: string, error: string, now: Date): Promise<void>;
  /** Ends the least severe automatic investigations above the capacity and returns their ids. */
  dropBeyond(capacity: number, error: string, now: Date): Promise<string[]>;
}

export function createRunsWriter(tx: Db): RunsWriter {
  async function endRuns(investigation_ids: readonly string[], now: Date): Promise<void> {
    await tx
      .updateTable("agent_runs")
      .set({ status: "cancelled", ended_at: now })
      .where("investigation_id", "in", investigation_ids)
      .where("status", "=", "running")
      .execute();
  }

  return {
    async insert(investigation) {
      const inserted = await tx
        .insertInto("investigations")
        // Uses the database clock, because claims compare with it.
        .values({ ...toStored(investigation), due_at: sql`now()` })
        .onConflict((taken) => taken.column("event_id").doNothing())
        .returning("investigation_id")
        .executeTakeFirst();
      return inserted !== undefined;
    },

    async insertEnded(investigation) {
      await tx
        .insertInto("investigations")
        .values({ ...toStored(investigation), due_at: null })
        .execute();
    },

    async lock(investigation_id) {
      if (!isUuid(investigation_id)) return undefined;
      return tx
        .selectFrom("investigations")
        .selectAll()
        .where("investigation_id", "=", investigation_id)
        .forNoKeyUpdate()
        .executeTakeFirst();
    },

    async cancel(investigation_id, error, now) {
      await tx
        .updateTable("investigations")
        .set({ status: "cancelled", error, ended_at: now, due_at: null, owner: null })
        .where("investigation_id", "=", investigation_id)
        .execute();
      await endRuns([investigation_id], now);
    },

    async dropBeyond(capacity, error, now) {
      const { rows } = await sql<{ investigation_id: string }>`
        UPDATE investigations SET status = 'cancelled', was_dropped = true, error = ${error}, ended_at = ${now},
          due_at = NULL
        WHERE investigation_id IN (
          SELECT investigation_id FROM investigations
          WHERE trigger = 'alert' AND due_at IS NOT NULL AND started_at IS NULL
          ORDER BY array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], severity), created_at
          OFFSET ${capacity} LIMIT 1000 FOR UPDATE SKIP LOCKED)
        RETURNING investigation_id`.execute(tx);
      return rows.map(({ investigation_id }) => investigation_id);
    },
  };
}

/** The driver would send arrays as PostgreSQL arrays. */
function toStored(row: InvestigationRow) {
  const json = <Value>(value: Value) => sql<Value>`${JSON.stringify(value)}::jsonb`;
  return {
    ...row,
    alert_context: json(row.alert_context),
    caller: json(row.caller),
    findings: json(row.findings),
    mitre_techniques: json(row.mitre_techniques),
    recommended_actions: json(row.recommended_actions),
    agents: json(row.agents),
  };
}

export function createShowcaseRunsStore(investigations: readonly ShownInvestigation[]): RunsStore {
  const find = (id: string) => investigations.find(({ investigation_id }) => investigation_id === id);
  return {
    async list({ agent_id, ...query }) {
      const listed = investigations.filter(
        (each) =>
          hasValues(each, query, FILTERS) &&
          (agent_id === undefined || each.agents.some((part) => part.agent_id === agent_id && part.run_id !== null)),
      );
      const { items, ...page } = pageInMemory(listed, NEWEST_FIRST, query);
      return { ...page, items: items.map(({ steps: _, findings: __, alert_context: ___, ...item }) => item) };
    },

    async find(investigation_id) {
      const found = find(investigation_id);
      if (!found) return undefined;
      const { steps: _, ...detail } = found;
      return detail;
    },

    listSteps: async (investigation_id) => find(investigation_id)?.steps ?? [],
    countQueue: async () => ({ queued: 0, running: 0, dropped_24h: 0 }),
  };
}
