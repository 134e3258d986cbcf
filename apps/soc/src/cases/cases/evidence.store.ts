import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { type CustodyEntry, type Evidence, type NewEvidence, newestItemsFirst } from "./case.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    case_evidence: NewEvidence & { case_id: string };
    case_custody: CustodyColumns & { id: Generated<string>; evidence_id: string };
  }
}

export type EvidenceStore = ReturnType<typeof createEvidenceStore>;

const MAX_CUSTODY_SHOWN = 200;

/** `actor` and `timestamp` are set by the platform. */
interface CustodyColumns extends Pick<CustodyEntry, "action" | "location" | "notes"> {
  actor: string;
  timestamp: Date;
  sent: Record<string, unknown> | null;
}

interface CustodyRow extends CustodyColumns {
  evidence_id: string;
  total: number;
}

export function createEvidenceStore(db: Db) {
  const selectEvidence = (case_id: string) =>
    db
      .selectFrom("case_evidence")
      .select(["id", "name", "evidence_type", "storage_url", "sha256", "location", "registered_in", "created_at"])
      .where("case_id", "=", case_id);

  async function withCustody(evidence: readonly NewEvidence[]): Promise<Evidence[]> {
    const { rows } = await sql<CustodyRow>`
      SELECT evidence_id, actor, action, location, notes, timestamp, sent, total
      FROM (
        SELECT *, row_number() OVER (PARTITION BY evidence_id ORDER BY id DESC) AS age,
          (count(*) OVER (PARTITION BY evidence_id))::int AS total
        FROM case_custody WHERE evidence_id = ANY(${evidence.map(({ id }) => id)}::uuid[])
      ) AS custody
      WHERE age <= ${MAX_CUSTODY_SHOWN} ORDER BY id`.execute(db);
    return evidence.map((each) => {
      const own = rows.filter(({ evidence_id }) => evidence_id === each.id);
      return { ...each, custody_entries: own.map(toCustodyEntry), custody_total: own[0]?.total ?? 0 };
    });
  }

  return {
    /** Newest first. */
    async list(case_id: string, query: PageQuery): Promise<Page<Evidence>> {
      const page = await readPage<NewEvidence>(db, selectEvidence(case_id), newestItemsFirst("evidence"), query);
      return { ...page, items: await withCustody(page.items) };
    },

    async find(case_id: string, evidence_id: string): Promise<Evidence | undefined> {
      if (!isUuid(evidence_id)) return undefined;
      const found = await selectEvidence(case_id).where("id", "=", evidence_id).execute();
      return (await withCustody(found))[0];
    },

    async insert(case_id: string, evidence: NewEvidence): Promise<void> {
      await db
        .insertInto("case_evidence")
        .values({ case_id, ...evidence })
        .execute();
    },

    async addCustody(evidence_id: string, entries: readonly CustodyEntry[]): Promise<void> {
      if (entries.length === 0) return;
      await db
        .insertInto("case_custody")
        .values(entries.map((entry) => ({ evidence_id, ...toColumns(entry) })))
        .execute();
    },
  };
}

function toCustodyEntry({ action, location, notes, actor, timestamp, sent }: CustodyRow): CustodyEntry {
  const recorded = { recorded_by: actor, recorded_at: timestamp };
  return { action, location, notes, actor, timestamp: timestamp.toISOString(), ...sent, ...recorded };
}

function toColumns({ recorded_by, recorded_at, ...sent }: CustodyEntry) {
  const { action, location, notes } = sent;
  return {
    action,
    location,
    notes,
    actor: recorded_by,
    timestamp: recorded_at,
    sent: sql<Record<string, unknown>>`${JSON.stringify(sent)}::jsonb`,
  };
}
