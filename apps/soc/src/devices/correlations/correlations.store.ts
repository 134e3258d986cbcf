import { sql } from "kysely";
import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import {
  type CorrelationRow,
  countShared,
  highest,
  NEWEST_CORRELATION_FIRST,
  type RatedRecord,
  SHOWN_LOGS,
  SHOWN_MEMBERS,
} from "./correlation.ts";
import type { CorrelationBody, ListCorrelationsQuery } from "./correlations.schema.ts";
import { windowAround } from "./link.ts";
import { formatEntity, parseEntity } from "./shared-entity.ts";

interface MemberRow {
  kind: RatedRecord["kind"];
  record_id: string;
  correlation_id: string;
  at: Date;
  severity: Severity;
  reason: string | null;
}

interface EntityRow {
  entity: string;
  kind: RatedRecord["kind"];
  record_id: string;
  at: Date;
  severity: Severity;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    correlations: CorrelationRow;
    correlation_members: MemberRow;
    correlation_entities: EntityRow;
  }
}

/** Reads outside a transaction. */
export interface CorrelationsStore {
  list(query: ListCorrelationsQuery): Promise<Page<CorrelationBody>>;
  find(id: string): Promise<CorrelationBody | undefined>;
}

/** The number of newest records compared per shared entity, and in total. */
const NEAR_PER_ENTITY = 100;
const NEAR = 1000;

export function createCorrelationsStore(db: Db): CorrelationsStore {
  async function complete(row: CorrelationRow): Promise<CorrelationBody> {
    const rows = await db
      .selectFrom("correlation_members")
      .selectAll()
      .where("correlation_id", "=", row.id)
      .orderBy("at", "desc")
      .orderBy("record_id", "desc")
      .limit(SHOWN_MEMBERS)
      .execute();
    const alert_ids = rows.flatMap(({ kind, record_id }) => (kind === "alert" ? [record_id] : []));
    const lists = await readEntities(db, rows);
    const { members: member_count, ...shown } = row;
    return {
      ...shown,
      entities: countShared([...lists.values()]),
      member_count,
      members: rows.map(({ kind, record_id: id, at, severity, reason }) => ({ kind, id, at, severity, reason })),
      log_ids: await readLogIds(db, alert_ids),
    };
  }

  return {
    async list(query) {
      const page = await readPage(db, selectListed(db, query), NEWEST_CORRELATION_FIRST, query);
      return { ...page, items: await Promise.all(page.items.map(complete)) };
    },

    async find(id) {
      if (!isUuid(id)) return undefined;
      const row = await db.selectFrom("correlations").selectAll().where("id", "=", id).executeTakeFirst();
      return row && complete(row);
    },
  };
}

function selectListed(db: Db, { severity, alert_id, device_id, case_id }: ListCorrelationsQuery) {
  let listed = db.selectFrom("correlations").selectAll();
  if (severity !== undefined) listed = listed.where("severity", "=", severity);
  if (case_id !== undefined) listed = listed.where("case_id", "=", case_id);
  if (alert_id !== undefined) listed = listed.where("id", "in", selectGroups(db, "alert", sql`${alert_id}`));
  if (device_id !== undefined) {
    const attested = sql`SELECT id FROM attestations WHERE device_id = ${device_id}`;
    listed = listed.where("id", "in", selectGroups(db, "attestation", attested));
  }
  return listed;
}

function selectGroups(db: Db, kind: RatedRecord["kind"], records: ReturnType<typeof sql>) {
  return db
    .selectFrom("correlation_members")
    .select("correlation_id")
    .where("kind", "=", kind)
    .where(sql<boolean>`record_id IN (${records})`);
}

async function readEntities(db: Db, records: readonly Pick<MemberRow, "kind" | "record_id">[]) {
  const rows = await db
    .selectFrom("correlation_entities")
    .select(["kind", "record_id", "entity"])
    .where("record_id", "in", [...new Set(["", ...records.map(({ record_id }) => record_id)])].filter(isUuid))
    .execute();
  const lists = new Map<string, ReturnType<typeof parseEntity>[]>();
  for (const { kind, record_id, entity } of rows) {
    const key = `${kind} ${record_id}`;
    lists.set(key, [...(lists.get(key) ?? []), parseEntity(entity)]);
  }
  return lists;
}

async function readLogIds(db: Db, alert_ids: readonly string[]): Promise<string[]> {
  if (alert_ids.length === 0) return [];
  const rows = await db.selectFrom("alerts").select("log_ids").where("id", "in", alert_ids).execute();
  return [...new Set(rows.flatMap(({ log_ids }) => log_ids))].slice(0, SHOWN_LOGS);
}

/** The writes of a transaction and the reads that they need. */
export function createCorrelationsWriter(tx: Db) {
  return {
    /** Serialises correlation, so that two concurrent records do not open two groups. */
    async lock(): Promise<void> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('correlations', 0))`.execute(tx);
    },

    /** Stores the entities of the record, replacing earlier ones. */
    async remember({ kind, id: record_id, at, severity, entities }: RatedRecord): Promise<void> {
      await tx.deleteFrom("correlation_entities").where("kind", "=", kind).where("record_id", "=", record_id).execute();
      if (entities.length === 0) return;
      const rows = entities.map((each) => ({ entity: formatEntity(each), kind, record_id, at, severity }));
      await tx.insertInto("correlation_entities").values(rows).execute();
    },

    /** Returns the records within a day that share an entity with this one, with all their entities. */
    async listNear({ kind, id, at, entities }: RatedRecord): Promise<RatedRecord[]> {
      const { from, to } = windowAround(at);
      const { rows } = await sql<Omit<EntityRow, "entity"> & { entities: string[] }>`
        WITH near AS (
          SELECT DISTINCT found.kind, found.record_id FROM unnest(${entities.map(formatEntity)}::text[]) AS wanted (entity)
          CROSS JOIN LATERAL (
            SELECT kind, record_id FROM correlation_entities AS each
            WHERE each.entity = wanted.entity AND each.at BETWEEN ${from} AND ${to}
              AND (each.kind, each.record_id) <> (${kind}, ${id}::uuid)
            ORDER BY each.at DESC LIMIT ${NEAR_PER_ENTITY}) AS found
          LIMIT ${NEAR})
        SELECT kind, record_id, at, severity, array_agg(entity) AS entities
        FROM correlation_entities JOIN near USING (kind, record_id) GROUP BY kind, record_id, at, severity`.execute(tx);
      return rows.map((row) => ({
        ...{ kind: row.kind, id: row.record_id, at: row.at, severity: row.severity },
        entities: row.entities.map(parseEntity),
      }));
    },

    /** Returns the groups of the records, oldest first. */
    async listGroups(records: readonly RatedRecord[]): Promise<CorrelationRow[]> {
      const { rows } = await sql<CorrelationRow>`
        SELECT * FROM correlations WHERE id IN (
          SELECT correlation_id FROM correlation_members JOIN unnest(
            ${records.map(({ kind }) => kind)}::text[], ${records.map(({ id }) => id)}::uuid[]) AS wanted (kind, record_id)
          USING (kind, record_id))
        ORDER BY created_at, id`.execute(tx);
      return rows;
    },

    async insert(row: CorrelationRow): Promise<void> {
      await tx.insertInto("correlations").values(row).execute();
    },

    /** Moves all members of the other groups into one and deletes the other groups. */
    async merge(into: string, others: readonly string[]): Promise<void> {
      if (others.length === 0) return;
      const moved = { correlation_id: into };
      await tx.updateTable("correlation_members").set(moved).where("correlation_id", "in", others).execute();
      await tx.deleteFrom("correlations").where("id", "in", others).execute();
    },

    /** Adds the records that are in no group. */
    async addMembers(
      correlation_id: string,
      added: readonly { record: RatedRecord; reason: string | null }[],
    ): Promise<void> {
      const rows = added.map(({ record: { kind, id: record_id, at, severity }, reason }) => ({
        ...{ kind, record_id, correlation_id, at, severity, reason },
      }));
      await tx
        .insertInto("correlation_members")
        .values(rows)
        .onConflict((taken) => taken.columns(["kind", "record_id"]).doNothing())
        .execute();
    },

    /** Updates the group and its member count. */
    async update(
      id: string,
      changed: Pick<CorrelationRow, "score" | "reason" | "case_id" | "updated_at">,
    ): Promise<void> {
      const { rows } = await sql<{ members: number; first_at: Date; last_at: Date; severities: Severity[] }>`
        SELECT count(*)::int AS members, min(at) AS first_at, max(at) AS last_at, array_agg(DISTINCT severity) AS severities
        FROM correlation_members WHERE correlation_id = ${id}`.execute(tx);
      const [counted] = rows;
      if (!counted) return;
      const { severities, ...rest } = counted;
      await tx
        .updateTable("correlations")
        .set({ ...changed, ...rest, severity: highest(severities) })
        .where("id", "=", id)
        .execute();
    },

    lockOne: async (id: string): Promise<CorrelationRow | undefined> =>
      isUuid(id)
        ? tx.selectFrom("correlations").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
        : undefined,

    async setCase(id: string, case_id: string, at: Date): Promise<void> {
      await tx.updateTable("correlations").set({ case_id, updated_at: at }).where("id", "=", id).execute();
    },

    /** Returns the oldest case of its alerts that is not closed. */
    async findOpenCase(id: string): Promise<string | undefined> {
      const found = await tx
        .selectFrom("correlation_members")
        .innerJoin("alerts", "alerts.id", "correlation_members.record_id")
        .innerJoin("cases", "cases.id", "alerts.case_id")
        .select("cases.id")
        .where("correlation_members.correlation_id", "=", id)
        .where("correlation_members.kind", "=", "alert")
        .where("cases.status", "not in", ["resolved", "closed"])
        .orderBy("cases.created_at")
        .orderBy("cases.id")
        .executeTakeFirst();
      return found?.id;
    },

    /** Returns the alerts of the group without a case. */
    async listAlertsWithoutCase(id: string, limit: number): Promise<string[]> {
      const rows = await tx
        .selectFrom("correlation_members")
        .innerJoin("alerts", "alerts.id", "correlation_members.record_id")
        .select("alerts.id")
        .where("correlation_members.correlation_id", "=", id)
        .where("correlation_members.kind", "=", "alert")
        .where("alerts.case_id", "is", null)
        .orderBy("correlation_members.at")
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },

    /** Returns the sites of all its records; '' for records without a site. */
    async listSites(id: string): Promise<string[]> {
      const { rows } = await sql<{ site: string }>`
        SELECT DISTINCT coalesce(alerts.site, devices.site::text, '') AS site FROM correlation_members AS member
        LEFT JOIN alerts ON member.kind = 'alert' AND alerts.id = member.record_id
        LEFT JOIN attestations ON member.kind = 'attestation' AND attestations.id = member.record_id
        LEFT JOIN devices ON devices.id = attestations.device_id
        WHERE member.correlation_id = ${id} ORDER BY 1`.execute(tx);
      return rows.map(({ site }) => site);
    },

    async forgetEntities(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`DELETE FROM correlation_entities WHERE (kind, record_id, entity) IN (
        SELECT kind, record_id, entity FROM correlation_entities AS each
        WHERE at < ${before} AND NOT EXISTS (
          SELECT FROM correlation_members AS member
          WHERE member.kind = each.kind AND member.record_id = each.record_id)
        ORDER BY at LIMIT ${limit})`.execute(tx);
      return Number(numAffectedRows);
    },

    async deleteOld(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`DELETE FROM correlations WHERE id IN (
        SELECT id FROM correlations WHERE last_at < ${before} ORDER BY last_at LIMIT ${limit})`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
