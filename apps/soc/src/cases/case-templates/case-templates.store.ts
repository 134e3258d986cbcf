import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { type CaseTemplate, NEWEST_FIRST } from "./case-template.ts";

export interface CaseTemplatesStore {
  /** Newest first. */
  list(query: PageQuery): Promise<Page<CaseTemplate>>;
  find(template_id: string): Promise<CaseTemplate | undefined>;
}

const COLUMNS = sql`id, name, title_prefix, description, severity, tags, tasks, sla, created_by, created_at, updated_at`;

export function createCaseTemplatesStore(db: Db): CaseTemplatesStore {
  return {
    list: (query) => readPage(db, sql<CaseTemplate>`SELECT ${COLUMNS} FROM case_templates`, NEWEST_FIRST, query),

    async find(template_id) {
      if (!isUuid(template_id)) return undefined;
      const { rows } = await sql<CaseTemplate>`
        SELECT ${COLUMNS} FROM case_templates WHERE id = ${template_id}`.execute(db);
      return rows[0];
    },
  };
}

export interface CaseTemplatesWriter {
  /** Locks the template until the transaction ends, and returns it. */
  lock(template_id: string): Promise<CaseTemplate | undefined>;
  /** Counts the templates and blocks other writers until the transaction ends. */
  count(): Promise<number>;
  /** Returns false when another template has the name. */
  insert(template: CaseTemplate): Promise<boolean>;
  /** Returns false when another template has the name. */
  update(template: CaseTemplate): Promise<boolean>;
  remove(template_id: string): Promise<void>;
}

export function createCaseTemplatesWriter(tx: Db): CaseTemplatesWriter {
  return {
    async lock(template_id) {
      if (!isUuid(template_id)) return undefined;
      const { rows } = await sql<CaseTemplate>`
        SELECT ${COLUMNS} FROM case_templates WHERE id = ${template_id} FOR UPDATE`.execute(tx);
      return rows[0];
    },

    async count() {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('case templates', 0))`.execute(tx);
      const { rows } = await sql<{ total: number }>`SELECT count(*)::int AS total FROM case_templates`.execute(tx);
      return rows[0]?.total ?? 0;
    },

    async insert({ id, name, title_prefix, description, severity, tags, tasks, sla, ...made }) {
      const { numAffectedRows } = await sql`
        INSERT INTO case_templates (${COLUMNS}) VALUES (${id}, ${name}, ${title_prefix}, ${description}, ${severity},
          ${tags}, ${JSON.stringify(tasks)}::jsonb, ${sla && JSON.stringify(sla)}::jsonb, ${made.created_by},
          ${made.created_at}, ${made.updated_at}) ON CONFLICT (name) DO NOTHING`.execute(tx);
      return numAffectedRows === 1n;
    },

    async update({ id, name, title_prefix, description, severity, tags, tasks, sla, updated_at }) {
      const { numAffectedRows } = await sql`
        UPDATE case_templates SET name = ${name}, title_prefix = ${title_prefix}, description = ${description},
          severity = ${severity}, tags = ${tags}, tasks = ${JSON.stringify(tasks)}::jsonb,
          sla = ${sla && JSON.stringify(sla)}::jsonb, updated_at = ${updated_at}
        WHERE id = ${id} AND NOT EXISTS (SELECT FROM case_templates AS other WHERE other.name = ${name}
          AND other.id <> ${id})`.execute(tx);
      return numAffectedRows === 1n;
    },

    async remove(template_id) {
      await sql`DELETE FROM case_templates WHERE id = ${template_id}`.execute(tx);
    },
  };
}

/** One template for each case of the story. */
export function createShowcaseCaseTemplates({ cases }: Pick<Showcase, "cases">): CaseTemplatesStore {
  const templates = cases.map(
    ({ id, title, description, severity, tags, tasks, timeline, created_at }): CaseTemplate => ({
      id,
      name: `Like "${title}"`,
      title_prefix: "",
      description,
      severity,
      tags,
      tasks: tasks.map((task) => ({ title: task.title })),
      sla: null,
      created_by: timeline[0]?.agent ?? "",
      created_at,
      updated_at: created_at,
    }),
  );
  return {
    list: async (query) => pageInMemory(templates, NEWEST_FIRST, query),
    find: async (template_id) => templates.find(({ id }) => id === template_id),
  };
}
