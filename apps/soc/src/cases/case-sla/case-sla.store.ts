import { sql } from "kysely";
import { SEVERITIES, type Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { SlaSettings, SlaTargets } from "./case-sla.schema.ts";
import { NEAR_SHARE, type SlaNotice } from "./sla.ts";

export type CaseSlaStore = ReturnType<typeof createCaseSlaStore>;

interface TargetRow extends SlaTargets {
  severity: Severity;
}

const NO_TARGETS: SlaTargets = { respond_minutes: null, resolve_minutes: null };

export function createCaseSlaStore(db: Db) {
  async function readRows(): Promise<TargetRow[]> {
    const { rows } = await sql<TargetRow>`
      SELECT severity, respond_minutes, resolve_minutes FROM case_sla_targets`.execute(db);
    return rows;
  }

  return {
    async read(): Promise<SlaSettings> {
      const rows = await readRows();
      const find = (severity: Severity): SlaTargets => {
        const { respond_minutes, resolve_minutes } = rows.find((row) => row.severity === severity) ?? NO_TARGETS;
        return { respond_minutes, resolve_minutes };
      };
      return {
        ...{ info: find("info"), low: find("low"), medium: find("medium") },
        ...{ high: find("high"), critical: find("critical") },
      };
    },

    async find(severity: Severity): Promise<SlaTargets> {
      return (await readRows()).find((row) => row.severity === severity) ?? NO_TARGETS;
    },

    /** Lists open cases that are close to a deadline or passed it within the last week, by the clock of the database. */
    async listNear(limit: number): Promise<SlaNotice[]> {
      const { rows } = await sql<SlaNotice>`
        SELECT id, title, assignee, deadline, by, CASE WHEN by < now() THEN 'breached' ELSE 'near' END AS state
        FROM (
          SELECT id, title, assignee, 'respond' AS deadline, respond_by AS by, created_at FROM cases
            WHERE respond_by IS NOT NULL AND responded_at IS NULL AND respond_by > now() - interval '7 days'
          UNION ALL
          SELECT id, title, assignee, 'resolve', resolve_by, created_at FROM cases
            WHERE resolve_by IS NOT NULL AND resolved_at IS NULL AND resolve_by > now() - interval '7 days'
        ) AS running
        WHERE by - ${NEAR_SHARE}::float8 * (by - created_at) <= now()
        ORDER BY by LIMIT ${limit}`.execute(db);
      return rows;
    },
  };
}

export function createCaseSlaWriter(tx: Db) {
  return {
    /** Locks the settings until the transaction ends, and returns them. */
    async lock(): Promise<SlaSettings> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('case sla', 0))`.execute(tx);
      return createCaseSlaStore(tx).read();
    },

    async write(settings: SlaSettings): Promise<void> {
      const rows = SEVERITIES.map((severity) => ({ severity, ...settings[severity] }));
      await sql`
        INSERT INTO case_sla_targets (severity, respond_minutes, resolve_minutes)
        SELECT severity, respond_minutes, resolve_minutes FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS given (severity case_severity, respond_minutes int, resolve_minutes int)
        ON CONFLICT (severity) DO UPDATE
          SET respond_minutes = excluded.respond_minutes, resolve_minutes = excluded.resolve_minutes`.execute(tx);
    },
  };
}

const HOUR = 60;
const DAY = 24 * HOUR;

/** The SLA targets of the showcase. */
const SHOWN: SlaSettings = {
  info: { respond_minutes: null, resolve_minutes: null },
  low: { respond_minutes: DAY, resolve_minutes: 14 * DAY },
  medium: { respond_minutes: 8 * HOUR, resolve_minutes: 7 * DAY },
  high: { respond_minutes: HOUR, resolve_minutes: 3 * DAY },
  critical: { respond_minutes: 15, resolve_minutes: DAY },
};

export function createShowcaseCaseSla(): Pick<CaseSlaStore, "read"> {
  return { read: async () => SHOWN };
}
