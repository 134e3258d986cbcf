import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { DEFAULT_LIMIT, type Page } from "../../foundation/lists/page.ts";
import { countUpTo } from "../../foundation/lists/total.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { planSearch } from "../../foundation/lists/words.ts";
import {
  ALERT_COLUMNS,
  type Alert,
  type AlertFields,
  type AlertRow,
  EQUAL_FILTERS,
  searchWords,
  toOrder,
} from "./alert.ts";
import type { ListAlertsQuery } from "./alerts.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    alerts: AlertRow;
  }
}

export interface AlertContext {
  same_host: Alert[];
  same_user: Alert[];
  same_ioc: Alert[];
}

/** The reads outside of a change. */
export interface AlertsStore {
  list(query: ListAlertsQuery): Promise<Page<Alert>>;
  find(alert_id: string): Promise<Alert | undefined>;
  /** Other alerts last seen within a day of this one that share its host, its user or an IOC. */
  findRelated(alert: Alert): Promise<AlertContext>;
}

export const DAY_MS = 24 * 60 * 60_000;

export const MAX_RELATED = 50;

const MAX_LOG_IDS = 100;

/**
 * The maximum number of alerts that are checked one by one to count matches of frequent words; above it the total is
 * estimated.
 */
const MAX_CHECKED = 5000;

const TITLE_WORDS = { table: "alerts", column: "title_words" };

export function createAlertsStore(db: Db): AlertsStore {
  return {
    async list(query) {
      const order = toOrder(query.sort);
      const words = searchWords(query.q);
      if (words.length === 0) return readPage(db, selectListed(db, query), order, query);
      const needed = (query.skip ?? 0) + (query.limit ?? DEFAULT_LIMIT);
      const { indexed, checked, share } = await planSearch(db, TITLE_WORDS, words, needed);
      const found = selectListed(db, query).where(hasWords(indexed));
      return readPage(db, found.where(isChecked(checked)), order, query, {
        guessed: { rows: selectListed(db, query), share },
        areMany: indexed.length === 0 && (await countUpTo(db, found, MAX_CHECKED + 1)) > MAX_CHECKED,
      });
    },

    async find(alert_id) {
      if (!isUuid(alert_id)) return undefined;
      return db.selectFrom("alerts").select(ALERT_COLUMNS).where("id", "=", alert_id).executeTakeFirst();
    },

    async findRelated({ id, host, user, iocs, last_seen }) {
      const nearby = db
        .selectFrom("alerts")
        .select(ALERT_COLUMNS)
        .where("id", "!=", id)
        .where("last_seen", ">=", new Date(last_seen.getTime() - DAY_MS))
        .where("last_seen", "<=", new Date(last_seen.getTime() + DAY_MS))
        .orderBy("last_seen", "desc")
        .limit(MAX_RELATED);
      const sharesIoc = sql<boolean>`alert_ioc_keys(iocs) && alert_ioc_keys(${iocs}::text[])`;
      return {
        same_host: host === null ? [] : await nearby.where("host", "=", host).execute(),
        same_user: user === null ? [] : await nearby.where("user", "=", user).execute(),
        same_ioc: iocs.length === 0 ? [] : await nearby.where(sharesIoc).execute(),
      };
    },
  };
}

function selectListed(db: Db, query: ListAlertsQuery) {
  let listed = db.selectFrom("alerts").select(ALERT_COLUMNS);
  for (const name of EQUAL_FILTERS) {
    const value = query[name];
    if (value !== undefined) listed = listed.where(name, "=", value);
  }
  return listed;
}

/** Uses the index. */
function hasWords(words: readonly string[]) {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`title_words @@ ${toTextSearch(words)}`;
}

/** The same condition without the index, row by row: for a frequent word the index returns too many entries. */
function isChecked(words: readonly string[]) {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`ts_match_vq(title_words, ${toTextSearch(words)})`;
}

/** Words contain no punctuation, so they cannot contain operators of the text search. */
function toTextSearch(words: readonly string[]) {
  return sql`to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(" & ")})`;
}

/** The writes of a transaction, and the reads that they need. */
export interface AlertsWriter {
  /** Stores the alert, or counts it on the existing one with the same fingerprint. Returns the stored alert. */
  insertOrCount(alert: AlertRow): Promise<Alert>;
  /** Locks the alerts until the transaction ends; always in id order, to avoid deadlocks. */
  lock(alert_ids: readonly string[]): Promise<Alert[]>;
  lockByCase(case_id: string): Promise<Alert[]>;
  update(alert_id: string, fields: AlertFields): Promise<Alert>;
}

export function createAlertsWriter(tx: Db): AlertsWriter {
  return {
    insertOrCount(alert) {
      // An occurrence from before the resolution does not reopen the alert.
      const reopens = sql`(alerts.status IN ('resolved', 'closed') AND excluded.last_seen >= alerts.resolved_at)`;
      // One atomic statement, so that concurrent reports do not overwrite each other.
      return tx
        .insertInto("alerts")
        .values(alert)
        .onConflict((conflict) =>
          conflict.column("fingerprint").doUpdateSet({
            occurrence_count: sql`alerts.occurrence_count + excluded.occurrence_count`,
            last_seen: sql`greatest(alerts.last_seen, excluded.last_seen)`,
            log_ids: sql`(alerts.log_ids || ARRAY(SELECT log_id FROM unnest(excluded.log_ids) AS given (log_id)
              WHERE log_id <> ALL (alerts.log_ids)))[1:${sql.lit(MAX_LOG_IDS)}]`,
            status: sql`CASE WHEN ${reopens} THEN 'new' ELSE alerts.status END`,
            reopened_count: sql`alerts.reopened_count + CASE WHEN ${reopens} THEN 1 ELSE 0 END`,
            resolved_at: sql`CASE WHEN ${reopens} THEN NULL ELSE alerts.resolved_at END`,
            resolution: sql`CASE WHEN ${reopens} THEN NULL ELSE alerts.resolution END`,
            verdict: sql`CASE WHEN ${reopens} THEN NULL ELSE alerts.verdict END`,
            // Counting a recurrence must not invalidate the If-Match of a user who edits the alert.
            updated_at: sql`CASE WHEN ${reopens}
              THEN greatest(excluded.updated_at, alerts.updated_at + interval '1 millisecond') ELSE alerts.updated_at END`,
          }),
        )
        .returning(ALERT_COLUMNS)
        .executeTakeFirstOrThrow();
    },

    async lock(alert_ids) {
      const ids = alert_ids.filter(isUuid);
      if (ids.length === 0) return [];
      return tx.selectFrom("alerts").select(ALERT_COLUMNS).where("id", "in", ids).orderBy("id").forUpdate().execute();
    },

    lockByCase(case_id) {
      return tx
        .selectFrom("alerts")
        .select(ALERT_COLUMNS)
        .where("case_id", "=", case_id)
        .orderBy("id")
        .forUpdate()
        .execute();
    },

    update(alert_id, fields) {
      return tx
        .updateTable("alerts")
        .set(fields)
        .where("id", "=", alert_id)
        .returning(ALERT_COLUMNS)
        .executeTakeFirstOrThrow();
    },
  };
}
