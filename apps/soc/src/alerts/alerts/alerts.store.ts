import { sql } from "kysely";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { type CheckedPage, countUpTo, readCheckedPage, readPage } from "../../foundation/lists/keyset.ts";
import { toPageQuery } from "../../foundation/lists/multi-value-params.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { DEFAULT_LIMIT, isUuid } from "../../foundation/lists/page.ts";
import { ALERT_COLUMNS, type Alert, type AlertRow, siteFingerprintOf, toOrder } from "./alert.ts";
import {
  EQUAL_FILTERS,
  isListed,
  listEntityKeys,
  searchWords,
  toHostKeys,
  type WantedAlerts,
} from "./alert-filters.ts";
import type { KnownAlert } from "./alert-repeat.ts";
import { filterAlerts, hasIoc, hasKey, hasWords, isChecked, planWords } from "./alert-selection.ts";

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

/** Reads outside of a change. */
export interface AlertsStore {
  list(scope: Scope, query: WantedAlerts): Promise<CheckedPage<Alert>>;
  find(scope: Scope, alert_id: string): Promise<Alert | undefined>;
  /** Returns the alerts that are in the scope. */
  filter(scope: Scope, alert_ids: readonly string[]): Promise<string[]>;
  /** Returns other alerts last seen within a day of this one that share its host, user or an IOC. */
  findRelated(scope: Scope, alert: Alert): Promise<AlertContext>;
  /** Returns alerts of the host that name one of the logs, newest first, up to a limit. */
  findNaming(scope: Scope, host: string, log_ids: readonly string[]): Promise<NamingLogs[]>;
}

export type NamingLogs = Pick<Alert, "id" | "log_ids">;

const DAY_MS = 24 * 60 * 60_000;

const MAX_RELATED = 50;
const MAX_NAMING = 500;

/**
 * The maximum number of alerts that are checked one by one to count matches of frequent words. Above it the total is an
 * estimate.
 */
const MAX_CHECKED = 5000;

export function createAlertsStore(db: Db): AlertsStore {
  const alerts = (scope: Scope) => db.selectFrom("alerts").where(isInScope(scope));
  return {
    async list(scope, query) {
      const order = toOrder(query.sort);
      const words = searchWords(query.q);
      const paged = toPageQuery(query, query, EQUAL_FILTERS);
      const listed = filterAlerts(alerts(scope), query).select(ALERT_COLUMNS);
      const { query: asked } = query;
      if (asked && !asked.isExact) {
        const found = listed.where(hasWords(words));
        return readCheckedPage(db, found, order, paged, (alert) => asked.matches(alert));
      }
      if (words.length === 0) return readPage(db, listed, order, paged, { table: "alerts" });
      const needed = (query.skip ?? 0) + (query.limit ?? DEFAULT_LIMIT);
      const { indexed, checked, share } = await planWords(db, {
        scope,
        isInScope: isInScope(scope),
        words,
        needed,
      });
      const found = listed.where(hasWords(indexed));
      return readPage(db, found.where(isChecked(checked)), order, paged, {
        guessed: { rows: listed, share },
        areMany: indexed.length === 0 && (await countUpTo(db, found, MAX_CHECKED + 1)) > MAX_CHECKED,
      });
    },

    async find(scope, alert_id) {
      if (!isUuid(alert_id)) return undefined;
      return alerts(scope).select(ALERT_COLUMNS).where("id", "=", alert_id).executeTakeFirst();
    },

    async filter(scope, alert_ids) {
      const ids = alert_ids.filter(isUuid);
      if (ids.length === 0) return [];
      return (await alerts(scope).select("id").where("id", "in", ids).execute()).map(({ id }) => id);
    },

    async findRelated(scope, alert) {
      const { id, iocs, last_seen } = alert;
      const { hosts, users } = listEntityKeys(alert);
      const nearby = alerts(scope)
        .select(ALERT_COLUMNS)
        .where("id", "!=", id)
        .where("last_seen", ">=", new Date(last_seen.getTime() - DAY_MS))
        .where("last_seen", "<=", new Date(last_seen.getTime() + DAY_MS))
        .orderBy("last_seen", "desc")
        .limit(MAX_RELATED);
      return {
        same_host: hosts.length === 0 ? [] : await nearby.where(hasKey(hosts)).execute(),
        same_user: users.length === 0 ? [] : await nearby.where(hasKey(users)).execute(),
        same_ioc: iocs.length === 0 ? [] : await nearby.where(hasIoc(iocs)).execute(),
      };
    },

    findNaming: (scope, host, log_ids) =>
      alerts(scope)
        .select(["id", "log_ids"])
        .where(hasKey(toHostKeys([host])))
        .where(sql<boolean>`log_ids && ${[...log_ids]}::text[]`)
        .orderBy("last_seen", "desc")
        .orderBy("id", "desc")
        .limit(MAX_NAMING)
        .execute(),
  };
}

/** The writes of a transaction and the reads that they need. */
export interface AlertsWriter {
  /** Stores the alert; undefined if one with the same fingerprint exists. */
  insert(alert: AlertRow): Promise<Alert | undefined>;
  /**
   * Gives an alert of a site that has this fingerprint another fingerprint, so that reports without a site are not
   * counted in it.
   */
  separate(finding: Pick<AlertRow, "title" | "source" | "iocs" | "fingerprint">): Promise<void>;
  /** Locks and returns the alert with this fingerprint, else the alert of this site with the other fingerprint. */
  lockAtSite(wanted: { fingerprint: string; other: string; site: string }): Promise<KnownAlert | undefined>;
  /** Locks and returns the alert with this fingerprint. */
  lockSame(fingerprint: string): Promise<KnownAlert>;
  /** Locks the alerts until the transaction ends, in id order to avoid deadlocks. */
  lock(scope: Scope, alert_ids: readonly string[]): Promise<Alert[]>;
  /** Locks the alerts with these fingerprints until the transaction ends, in id order like `lock`. */
  lockFingerprints(fingerprints: readonly string[]): Promise<void>;
  lockByCases(scope: Scope, case_ids: readonly string[]): Promise<Alert[]>;
  update(alert_id: string, fields: Partial<AlertRow>): Promise<Alert>;
}

export function createAlertsWriter(tx: Db): AlertsWriter {
  const alerts = (scope: Scope) => tx.selectFrom("alerts").select(ALERT_COLUMNS).where(isInScope(scope));
  return {
    insert(alert) {
      // Waits for a concurrent transaction that inserts the same alert, so that one of two reports counts as the
      // repeat.
      return tx
        .insertInto("alerts")
        .values(alert)
        .onConflict((conflict) => conflict.column("fingerprint").doNothing())
        .returning(ALERT_COLUMNS)
        .executeTakeFirst();
    },

    async separate({ fingerprint, ...finding }) {
      const { rows } = await sql<{ id: string; site: string }>`
        SELECT id, site FROM alerts WHERE fingerprint = ${fingerprint} AND site IS NOT NULL FOR UPDATE`.execute(tx);
      for (const { id, site } of rows) {
        const own = siteFingerprintOf({ ...finding, site });
        await sql`
          UPDATE alerts SET fingerprint = CASE
            WHEN EXISTS (SELECT FROM alerts WHERE fingerprint = ${own}) THEN encode(sha256(id::text::bytea), 'hex')
            ELSE ${own} END
          WHERE id = ${id}`.execute(tx);
      }
    },

    lockAtSite: ({ fingerprint, other, site }) =>
      tx
        .selectFrom("alerts")
        .select([...ALERT_COLUMNS, "reported_severity"])
        .where((where) =>
          where.or([
            where("fingerprint", "=", fingerprint),
            where.and([where("fingerprint", "=", other), where("site", "=", site)]),
          ]),
        )
        .orderBy(sql`fingerprint = ${fingerprint}`, "desc")
        .limit(1)
        .forUpdate()
        .executeTakeFirst(),

    lockSame(fingerprint) {
      return tx
        .selectFrom("alerts")
        .select([...ALERT_COLUMNS, "reported_severity"])
        .where("fingerprint", "=", fingerprint)
        .forUpdate()
        .executeTakeFirstOrThrow();
    },

    async lock(scope, alert_ids) {
      const ids = alert_ids.filter(isUuid);
      if (ids.length === 0) return [];
      return alerts(scope).where("id", "in", ids).orderBy("id").forUpdate().execute();
    },

    async lockFingerprints(fingerprints) {
      if (fingerprints.length === 0) return;
      await sql`
        SELECT FROM alerts WHERE fingerprint = ANY(${[...fingerprints]}::text[]) ORDER BY id FOR UPDATE`.execute(tx);
    },

    lockByCases: (scope, case_ids) =>
      alerts(scope).where("case_id", "in", case_ids).orderBy("id").forUpdate().execute(),

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

/** Reads the alerts of the showcase. */
export function createShowcaseAlertsStore(alerts: readonly Alert[]): AlertsStore {
  return {
    list: async (_scope, query) => pageInMemory(alerts, toOrder(query.sort), query, (alert) => isListed(alert, query)),

    find: async (_scope, alert_id) => alerts.find(({ id }) => id === alert_id),

    filter: async (_scope, alert_ids) => alerts.map(({ id }) => id).filter((id) => alert_ids.includes(id)),

    async findRelated(_scope, alert) {
      const { id, iocs, last_seen } = alert;
      const { hosts, users } = listEntityKeys(alert);
      const nearby = alerts
        .filter((other) => other.id !== id && Math.abs(other.last_seen.getTime() - last_seen.getTime()) <= DAY_MS)
        .toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime());
      const related = (isRelated: (other: Alert) => boolean) => nearby.filter(isRelated).slice(0, MAX_RELATED);
      return {
        same_host: related((other) => listEntityKeys(other).hosts.some((key) => hosts.includes(key))),
        same_user: related((other) => listEntityKeys(other).users.some((key) => users.includes(key))),
        same_ioc: related((other) => other.iocs.some((ioc) => iocs.includes(ioc))),
      };
    },

    async findNaming(_scope, host, log_ids) {
      const [key = ""] = toHostKeys([host]);
      return alerts
        .filter(
          (alert) => listEntityKeys(alert).hosts.includes(key) && alert.log_ids.some((id) => log_ids.includes(id)),
        )
        .toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime())
        .slice(0, MAX_NAMING);
    },
  };
}
