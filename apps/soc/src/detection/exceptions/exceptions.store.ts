import { sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { isVisible } from "../../logs/module.ts";
import type { Feedback } from "../feedback/feedback.ts";
import type { Window } from "../matches/finding.ts";
import type { Match } from "../matches/match.ts";
import { createVisibleRules, type FoundRule } from "../rules/rules.store.ts";
import {
  type Exception,
  type ExceptionRow,
  type ExceptionSelection,
  isActive,
  isInScope,
  isListed,
  NEWEST_FIRST,
  toShown,
} from "./exception.ts";
import type { ListExceptionsQuery } from "./exceptions.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_exceptions: ExceptionRow;
  }
}

/** An open match of a rule that an exception would apply to. */
export interface PricedMatch {
  log_id: string;
  log_ingested_at: Date;
  alert_id: string | null;
  is_true_positive: boolean;
}

/** Reads outside of change transactions. An exception of one rule is visible to users who may see the rule. */
export interface ExceptionsStore {
  list(caller: Caller, query: ListExceptionsQuery, now: Date): Promise<Page<Exception>>;
  find(caller: Caller, id: string): Promise<Exception | undefined>;
  /** The unexpired exceptions of the rule, oldest first, so that the same one is counted each time. */
  listActive(rule: { id: string; tags: readonly string[] }, now: Date): Promise<Pick<Exception, "id" | "query">[]>;
  /** The newest open matches in the window of the affected rules that the caller may see. */
  listPriced(caller: Caller, meant: ExceptionSelection, window: Window, limit: number): Promise<PricedMatch[]>;
}

/** The maximum number of active exceptions: each is tested for each match. */
export const MAX_ACTIVE = 500;

export function createExceptionsStore(db: Db): ExceptionsStore {
  return {
    async list(caller, query, now) {
      const page = await readPage(db, createListed(db, caller, query, now), NEWEST_FIRST, query);
      return { ...page, items: page.items.map(toShown) };
    },

    async find(caller, id) {
      if (!isUuid(id)) return undefined;
      const found = await createVisible(db, caller).where("id", "=", id).executeTakeFirst();
      return found && toShown(found);
    },

    async listActive({ id, tags }, now) {
      if (!isUuid(id)) return [];
      return db
        .selectFrom("detection_exceptions")
        .select(["id", "query"])
        .where("expires_at", ">", now)
        .where(
          sql<boolean>`(scope = 'all' OR (scope = 'rule' AND rule_id = ${id}::uuid)
            OR (scope = 'tag' AND tag = ANY(${[...tags]}::text[])))`,
        )
        .orderBy("created_at")
        .orderBy("id")
        .limit(MAX_ACTIVE)
        .execute();
    },

    async listPriced(caller, { scope, rule_id, tag }, { from, to }, limit) {
      const visible = createVisibleRules(db, caller).select("detection_rules.id");
      const meant = scope === "tag" ? visible.where(sql<boolean>`tags @> ARRAY[${tag ?? ""}::text]`) : visible;
      const { rows } = await sql<PricedMatch>`
        SELECT log_id, log_ingested_at, alert_id, alert_id IN (
          SELECT alert_id FROM detection_feedback AS judged
          WHERE judged.rule_id = match.rule_id AND verdict = 'true_positive' AND alert_id IS NOT NULL
        ) IS TRUE AS is_true_positive
        FROM detection_matches AS match
        WHERE matched_at >= ${from} AND matched_at < ${to} AND suppression_id IS NULL AND exception_id IS NULL
          AND ${scope === "rule" ? sql`rule_id = ${rule_id}::uuid AND` : sql``} rule_id IN (${meant})
        ORDER BY matched_at DESC LIMIT ${limit}`.execute(db);
      return rows;
    },
  };
}

function createListed(db: Db, caller: Caller, query: ListExceptionsQuery, now: Date) {
  const { scope, rule_id, tag, active, q } = query;
  let listed = createVisible(db, caller);
  if (scope !== undefined) listed = listed.where("scope", "in", scope);
  if (rule_id !== undefined) listed = listed.where("rule_id", "in", rule_id);
  if (tag !== undefined) listed = listed.where("tag", "in", tag);
  if (active !== undefined) listed = listed.where("expires_at", active ? ">" : "<=", now);
  if (q !== undefined) {
    listed = listed.where(sql<boolean>`strpos(lower(concat_ws(E'\\n', query, reason)), lower(${q})) > 0`);
  }
  return listed;
}

/** The exceptions that the caller may see; an administrator also sees those of deleted rules. */
function createVisible(db: Db, caller: Caller) {
  const counted = sql`FROM detection_exception_counts WHERE exception_id = detection_exceptions.id`;
  const all = db
    .selectFrom("detection_exceptions")
    .selectAll()
    .select([
      sql<number>`coalesce((SELECT sum(hidden)::float8 ${counted}), 0)`.as("hidden"),
      sql<Date | null>`(SELECT max(last_hidden_at) ${counted})`.as("last_hidden_at"),
    ]);
  if (caller.role === "admin") return all;
  const rules = createVisibleRules(db, caller).select("detection_rules.id");
  return all.where((exception) => exception.or([exception("scope", "<>", "rule"), exception("rule_id", "in", rules)]));
}

/** How many logs exceptions have hidden from one rule, by the id of the exception. */
export type HiddenCounts = ReadonlyMap<string, number>;

// A key that no other transaction-level advisory lock uses.
const EXCEPTIONS_LOCK = 7_315_060;

/** The writes of a transaction, and the reads that they need. */
export function createExceptionsWriter(tx: Db) {
  return {
    /** The exception, locked until the transaction ends; undefined if the caller may not see it. */
    async lock(caller: Caller, id: string): Promise<ExceptionRow | undefined> {
      if (!isUuid(id)) return undefined;
      const locked = await tx
        .selectFrom("detection_exceptions")
        .selectAll()
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      return locked && (await createExceptionsStore(tx).find(caller, id)) ? locked : undefined;
    },

    /** The number of active exceptions. Serialises their creation. */
    async countActive(now: Date): Promise<number> {
      await sql`SELECT pg_advisory_xact_lock(${EXCEPTIONS_LOCK})`.execute(tx);
      const { rows } = await sql<{ active: number }>`
        SELECT count(*)::int AS active FROM detection_exceptions WHERE expires_at > ${now}`.execute(tx);
      return rows[0]?.active ?? 0;
    },

    async insert(exception: ExceptionRow): Promise<void> {
      await tx.insertInto("detection_exceptions").values(exception).execute();
    },

    async update({ id, ...fields }: ExceptionRow): Promise<void> {
      await tx.updateTable("detection_exceptions").set(fields).where("id", "=", id).execute();
    },

    /** Lets the exception that waits for this approval begin, or ends its wait. */
    async settle(approval_id: string, isApproved: boolean, now: Date): Promise<ExceptionRow | undefined> {
      const until = isApproved ? sql<Date>`greatest(expires_at, held_until)` : sql<Date>`expires_at`;
      return tx
        .updateTable("detection_exceptions")
        .set({ expires_at: until, approval_id: null, held_until: null, updated_at: now })
        .where("approval_id", "=", approval_id)
        .returningAll()
        .executeTakeFirst();
    },

    async addHidden(rule_id: string, counts: HiddenCounts, at: Date): Promise<void> {
      if (counts.size === 0) return;
      await sql`
        INSERT INTO detection_exception_counts AS counted (exception_id, rule_id, hidden, last_hidden_at)
        SELECT id, ${rule_id}::uuid, hidden, ${at}::timestamptz
        FROM unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[]) AS given (id, hidden) ORDER BY id
        ON CONFLICT (exception_id, rule_id) DO UPDATE SET hidden = counted.hidden + excluded.hidden,
          last_hidden_at = greatest(counted.last_hidden_at, excluded.last_hidden_at)`.execute(tx);
    },
  };
}

interface Rows {
  rules: readonly FoundRule[];
  matches: readonly Match[];
  feedback: readonly Feedback[];
  exceptions: readonly Exception[];
}

export function createShowcaseExceptionsStore({ rules, matches, feedback, exceptions }: Rows): ExceptionsStore {
  return {
    list: async (_caller, query, now) =>
      pageInMemory(exceptions, NEWEST_FIRST, query, (each) => isListed(each, query, now)),
    find: async (_caller, id) => exceptions.find((each) => each.id === id),
    listActive: async (rule, now) => exceptions.filter((each) => isActive(each, now) && isInScope(each, rule)),
    async listPriced(caller, { scope, rule_id = null, tag = null }, { from, to }, limit) {
      const meant = rules.filter((rule) => isVisible(rule, caller) && isInScope({ scope, rule_id, tag }, rule));
      const known = new Set(meant.map(({ id }) => id));
      return matches
        .filter(
          ({ rule_id: id, matched_at, suppression_id, exception_id }) =>
            known.has(id) && matched_at >= from && matched_at < to && suppression_id === null && exception_id === null,
        )
        .slice(0, limit)
        .map(({ log_id, log_ingested_at, alert_id }) => ({
          log_id,
          log_ingested_at,
          alert_id,
          is_true_positive: feedback.some(
            (each) => each.alert_id !== null && each.alert_id === alert_id && each.verdict === "true_positive",
          ),
        }));
    },
  };
}
