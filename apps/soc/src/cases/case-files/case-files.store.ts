import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { ReceivedFile } from "../../ports/file-store.ts";
import { type CaseFile, NEWEST_FIRST } from "./case-file.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    case_files: { evidence_id: string; sha256: string; uploaded_by: string };
  }
}

export interface CaseFilesStore {
  /** Newest first. */
  list(case_id: string, query: PageQuery): Promise<Page<CaseFile>>;
  find(case_id: string, file_id: string): Promise<CaseFile | undefined>;
}

export function createCaseFilesStore(db: Db): CaseFilesStore {
  const selectFiles = (case_id: string) =>
    db
      .selectFrom("case_files as file")
      .innerJoin("case_evidence as evidence", "evidence.id", "file.evidence_id")
      .select(["evidence.id", "name", "evidence_type", "location", "file.sha256", "uploaded_by", "created_at"])
      .select(
        sql<number>`(SELECT size_bytes::float8 FROM stored_files WHERE stored_files.sha256 = file.sha256)`.as(
          "size_bytes",
        ),
      )
      .where("evidence.case_id", "=", case_id);
  return {
    list: (case_id, query) => readPage<CaseFile>(db, selectFiles(case_id), NEWEST_FIRST, query),

    async find(case_id, file_id) {
      if (!isUuid(file_id)) return undefined;
      return selectFiles(case_id).where("evidence.id", "=", file_id).executeTakeFirst();
    },
  };
}

export interface CaseFilesWriter {
  /** Call this before writing the content: unreferenced content is removed after an hour. */
  announce(content: Pick<ReceivedFile, "sha256" | "size_bytes">): Promise<void>;
  /** References announced content. Returns false if it was removed in the meantime. */
  insert(file: { evidence_id: string; sha256: string; uploaded_by: string }): Promise<boolean>;
  /** Counts the files of a case, including those of this transaction. */
  measure(case_id: string): Promise<{ count: number; bytes: number }>;
  /**
   * Deletes the record of one content that no case references and that was not announced within the last hour. A sender
   * that announces it concurrently waits until the transaction ends.
   */
  forgetUnused(): Promise<string | undefined>;
}

export function createCaseFilesWriter(tx: Db): CaseFilesWriter {
  return {
    async announce({ sha256, size_bytes }) {
      await sql`INSERT INTO stored_files (sha256, size_bytes) VALUES (${sha256}, ${size_bytes})
        ON CONFLICT (sha256) DO UPDATE SET used_at = now()`.execute(tx);
    },

    async insert({ evidence_id, sha256, uploaded_by }) {
      const { numAffectedRows } = await sql`
        INSERT INTO case_files (evidence_id, sha256, uploaded_by)
        SELECT ${evidence_id}, sha256, ${uploaded_by} FROM stored_files WHERE sha256 = ${sha256} FOR KEY SHARE`.execute(
        tx,
      );
      return numAffectedRows === 1n;
    },

    async measure(case_id) {
      const { rows } = await sql<{ count: number; bytes: number }>`
        SELECT count(*)::int AS count, coalesce(sum(size_bytes), 0)::float8 AS bytes
        FROM case_evidence AS evidence JOIN case_files AS file ON file.evidence_id = evidence.id
          JOIN stored_files AS stored ON stored.sha256 = file.sha256
        WHERE case_id = ${case_id}`.execute(tx);
      return rows[0] ?? { count: 0, bytes: 0 };
    },

    async forgetUnused() {
      const { rows } = await sql<{ sha256: string }>`
        DELETE FROM stored_files WHERE sha256 = (
          SELECT sha256 FROM stored_files WHERE used_at < now() - interval '1 hour'
            AND NOT EXISTS (SELECT FROM case_files WHERE case_files.sha256 = stored_files.sha256)
          ORDER BY used_at LIMIT 1 FOR UPDATE SKIP LOCKED
        ) RETURNING sha256`.execute(tx);
      return rows[0]?.sha256;
    },
  };
}
