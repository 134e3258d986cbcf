import { sql } from "kysely";
import type { AlertStatus, Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { addUp, MAX_RISKS, type OpenRisk, type Part, type Period, type PeriodFacts, splitPeriod } from "./period.ts";
import { DAY_MS, roundMinutes } from "./stats.ts";

const IS_RISK = sql<boolean>`severity IN ('high', 'critical') AND status NOT IN ('resolved', 'closed')`;

/** A reopened alert is measured from its reopening. */
const OPENED_AT = sql`coalesce(reopened_at, created_at)`;

export interface PeriodStore {
  /**
   * Reads the facts of a period. All alert numbers come from one index (see 0035-alert-entities.sql). A long period is
   * read in parts to keep each statement short.
   */
  read(period: Period): Promise<PeriodFacts>;
  readMeanTimes(period: Period): Promise<Pick<PeriodFacts, "mtta_minutes" | "mttr_minutes">>;
}

export function createPeriodStore(db: Db): PeriodStore {
  return {
    async read(period) {
      const parts: Part[] = [];
      for (const part of splitPeriod(period)) parts.push(await readPart(db, period.from, part));
      return { ...addUp(period, parts), cases: await readCases(db, period), open_risks: await readRisks(db) };
    },

    async readMeanTimes({ from, to }) {
      const { rows } = await sql<{ mtta: number | null; mttr: number | null }>`
        SELECT (extract(epoch FROM avg(acknowledged_at - ${OPENED_AT})) / 60)::float8 AS mtta,
          (extract(epoch FROM avg(resolved_at - ${OPENED_AT})) / 60)::float8 AS mttr
        FROM alerts WHERE created_at >= ${from} AND created_at < ${to}`.execute(db);
      const [{ mtta, mttr } = { mtta: null, mttr: null }] = rows;
      return { mtta_minutes: roundMinutes(mtta), mttr_minutes: roundMinutes(mttr) };
    },
  };
}

/** Each grouping set fills its own columns and leaves the others null. */
interface Row {
  status: AlertStatus | null;
  severity: Severity | null;
  day: Date | null;
  source: string | null;
  count: number;
  acknowledged: number;
  acknowledge_s: number | null;
  resolved: number;
  resolve_s: number | null;
}

async function readPart(tx: Db, start: Date, { from, to }: Period): Promise<Part> {
  const { rows } = await sql<Row>`
    SELECT status, severity, day, source, count(*)::int AS count,
      count(acknowledged_at)::int AS acknowledged, extract(epoch FROM sum(to_acknowledge))::float8 AS acknowledge_s,
      count(resolved_at)::int AS resolved, extract(epoch FROM sum(to_resolve))::float8 AS resolve_s
    FROM (
      SELECT status, severity, source, acknowledged_at, resolved_at, acknowledged_at - ${OPENED_AT} AS to_acknowledge,
        resolved_at - ${OPENED_AT} AS to_resolve, date_bin('24 hours', created_at, ${start}::timestamptz) AS day
      FROM alerts WHERE created_at >= ${from} AND created_at < ${to}
    ) AS created GROUP BY GROUPING SETS ((status, severity), (day), (source))`.execute(tx);
  const toDayIndex = (day: Date) => Math.round((day.getTime() - start.getTime()) / DAY_MS);
  return {
    alerts: rows.flatMap(({ status, severity, count }) => (status && severity ? [{ status, severity, count }] : [])),
    days: rows.flatMap(({ day, count }) => (day === null ? [] : [{ day: toDayIndex(day), count }])),
    sources: rows.flatMap(({ source, count }) => (source === null ? [] : [{ source, count }])),
    // The days contain every alert of the part, so their sums are those of the part.
    times: rows.flatMap(({ day, acknowledged, acknowledge_s, resolved, resolve_s }) =>
      day === null
        ? []
        : [{ acknowledged, acknowledgeSeconds: acknowledge_s ?? 0, resolved, resolveSeconds: resolve_s ?? 0 }],
    ),
  };
}

async function readCases(tx: Db, { from, to }: Period): Promise<PeriodFacts["cases"]> {
  const { rows } = await sql<PeriodFacts["cases"]>`
    SELECT
      (SELECT count(*)::int FROM cases WHERE created_at >= ${from} AND created_at < ${to}) AS opened,
      (SELECT count(*)::int FROM cases WHERE closed_at >= ${from} AND closed_at < ${to}) AS closed`.execute(tx);
  return rows[0] ?? { opened: 0, closed: 0 };
}

async function readRisks(tx: Db): Promise<PeriodFacts["open_risks"]> {
  const counted = await sql<{ total: number }>`SELECT count(*)::int AS total FROM cases WHERE ${IS_RISK}`.execute(tx);
  const { rows: cases } = await sql<OpenRisk>`
    SELECT id, title, severity, status, assignee, created_at, due_at FROM cases WHERE ${IS_RISK}
    ORDER BY severity DESC, created_at, id LIMIT ${MAX_RISKS}`.execute(tx);
  return { total: counted.rows[0]?.total ?? 0, cases };
}
