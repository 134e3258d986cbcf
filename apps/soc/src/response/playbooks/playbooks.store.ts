import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { countTotal, readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { newestFirst, type Order, pageInMemory } from "../../foundation/lists/order.ts";
import { DEFAULT_LIMIT, type Page, toPage } from "../../foundation/lists/page.ts";
import { idAfter, ORDER, type Playbook, type PlaybookRow, type PlaybookVersion } from "./playbook.ts";
import { fitsAlert } from "./playbook-inputs.ts";
import type { ListPlaybooksQuery } from "./playbooks.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    playbooks: PlaybookRow;
    playbook_versions: PlaybookVersion;
  }
}

/** `filled` selects the playbooks that fit an alert with these fields; see `fitsAlert`. */
export type PlaybookFilter = Omit<ListPlaybooksQuery, "for_alert"> & { filled?: readonly string[] | undefined };

export interface PlaybooksStore {
  list(query: PlaybookFilter): Promise<Page<Playbook>>;
  find(id: string): Promise<Playbook | undefined>;
  versions(id: string, query: PageQuery): Promise<Page<PlaybookVersion>>;
}

const COLUMNS = [
  "id",
  "name",
  "description",
  "critical",
  "enabled",
  "version",
  "trigger",
  "inputs",
  "approval",
  "steps",
  "updated_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Playbook)[];

const NEWEST_VERSION_FIRST: Order<PlaybookVersion> = newestFirst("changed_at");

export function createPlaybooksStore(db: Db): PlaybooksStore {
  return {
    async list(query) {
      const { enabled, critical, filled } = query;
      let listed = db.selectFrom("playbooks").select(COLUMNS);
      if (enabled !== undefined) listed = listed.where("enabled", "=", enabled);
      if (critical !== undefined) listed = listed.where("critical", "=", critical);
      if (filled !== undefined) listed = listed.where(takesFrom(filled));
      const after = idAfter(query);
      const rows = await listed
        .$if(after !== undefined, (page) => page.where("id", ">", after ?? ""))
        .orderBy("id")
        .offset(query.skip ?? 0)
        .limit((query.limit ?? DEFAULT_LIMIT) + 1)
        .execute();
      return toPage({ query, order: ORDER, rows, total: await countTotal(db, listed), positionOf: ({ id }) => [id] });
    },

    async find(id) {
      if (id.includes("\0")) return undefined;
      return db.selectFrom("playbooks").select(COLUMNS).where("id", "=", id).executeTakeFirst();
    },

    versions: (id, query) =>
      readPage(
        db,
        db
          .selectFrom("playbook_versions")
          .select(["id", "playbook_id", "version", "changed_by", "changed_at", "playbook"])
          .where("playbook_id", "=", id),
        NEWEST_VERSION_FIRST,
        query,
      ),
  };
}

function takesFrom(filled: readonly string[]) {
  const taken = sql`jsonb_array_elements(inputs) AS input WHERE input ->> 'from' LIKE 'alert.%'`;
  const found = sql`(input ->> 'from') || ' ' || (input ->> 'type') = ANY(${[...filled]}::text[])`;
  return sql<boolean>`EXISTS (SELECT FROM ${taken})
    AND NOT EXISTS (SELECT FROM ${taken} AND (input ->> 'required')::boolean AND NOT ${found})`;
}

/** The writes of a transaction and the reads that they need. */
export function createPlaybooksWriter(tx: Db) {
  return {
    /** Locks the playbook until the transaction ends. */
    async lock(id: string): Promise<PlaybookRow | undefined> {
      if (id.includes("\0")) return undefined;
      return tx
        .selectFrom("playbooks")
        .select([...COLUMNS, "release", "is_edited"])
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst();
    },

    /** Takes a shared lock: no transaction changes the playbook before this one ends, but others may also lock it. */
    async hold(id: string): Promise<Playbook | undefined> {
      if (id.includes("\0")) return undefined;
      return tx.selectFrom("playbooks").select(COLUMNS).where("id", "=", id).forShare().executeTakeFirst();
    },

    /** Returns false if another transaction inserted it first. */
    async insert(playbook: PlaybookRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("playbooks")
        .values(stored(playbook))
        .onConflict((taken) => taken.column("id").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async update(playbook: PlaybookRow): Promise<void> {
      const { id, ...fields } = stored(playbook);
      await tx.updateTable("playbooks").set(fields).where("id", "=", id).execute();
    },

    async insertVersion(version: PlaybookVersion): Promise<void> {
      await tx
        .insertInto("playbook_versions")
        .values({ ...version, playbook: toJsonb(version.playbook) })
        .execute();
    },
  };
}

/** Without the cast the driver would send an array as a PostgreSQL array. */
function toJsonb<Value>(value: Value) {
  return sql<Value>`${JSON.stringify(value)}::jsonb`;
}

function stored({ inputs, approval, steps, ...rest }: PlaybookRow) {
  return { ...rest, inputs: toJsonb(inputs), approval: approval && toJsonb(approval), steps: toJsonb(steps) };
}

export function createShowcasePlaybooksStore(read: () => Promise<readonly Playbook[]>): PlaybooksStore {
  const sorted = async () => (await read()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    async list(query) {
      const after = idAfter(query);
      const skip = query.skip ?? 0;
      const fitting = (await sorted()).filter(
        ({ enabled, critical, inputs }) =>
          (query.filled === undefined || fitsAlert(inputs, query.filled)) &&
          (query.enabled === undefined || query.enabled === enabled) &&
          (query.critical === undefined || query.critical === critical),
      );
      const rows = fitting
        .filter(({ id }) => after === undefined || id > after)
        .slice(skip, skip + (query.limit ?? DEFAULT_LIMIT) + 1);
      return toPage({ query, order: ORDER, rows, total: { total: fitting.length }, positionOf: ({ id }) => [id] });
    },

    find: async (id) => (await sorted()).find((playbook) => playbook.id === id),

    async versions(id, query) {
      const known = (await sorted()).filter((playbook) => playbook.id === id);
      const versions = known.map((playbook) => ({
        id: SHOWCASE_VERSION,
        playbook_id: playbook.id,
        version: playbook.version,
        changed_by: playbook.updated_by,
        changed_at: playbook.updated_at,
        playbook,
      }));
      return pageInMemory(versions, NEWEST_VERSION_FIRST, query);
    },
  };
}

/** All showcase playbooks can share one version id, because each has one version. */
const SHOWCASE_VERSION = "019a0000-0000-7000-8000-000000000001";
