import { type RawBuilder, sql } from "kysely";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { Alert } from "../alerts/alert.ts";
import { hasIoc, hasKey } from "../alerts/alert-selection.ts";
import type { EntityType } from "./entities.schema.ts";
import { ENTITY_ALERT_COLUMNS, type Entity, type EntityAlert, formatEntity, listEntities } from "./entity.ts";
import { countDays, type RiskFact } from "./risk.ts";

export interface AlertsOfEntity {
  /** Newest first. */
  alerts: EntityAlert[];
  /** The number of alerts, counted up to a limit. */
  total: number;
  is_partial: boolean;
}

/** Alerts of one entity that have the same points and the same age. */
export interface CountedFacts extends Pick<RiskFact, "severity" | "status" | "verdict"> {
  value: string;
  /** Whole days since they were last seen. */
  days: number;
  count: number;
  last_seen: Date;
}

export interface Span {
  from: Date;
  to: Date;
}

export interface EntitiesStore {
  find(scope: Scope, entity: Entity, span: Span, limit: number): Promise<AlertsOfEntity>;
  /** Counts all entities of a type in the alerts of the period. */
  count(scope: Scope, type: EntityType, span: Span): Promise<{ facts: CountedFacts[]; is_partial: boolean }>;
}

/** The maximum number of alerts that are counted one by one. */
const MAX_COUNTED = 20_000;
/** The limit for a list of all entities, whose names are read from each alert. */
const MAX_LISTED = 10_000;

export function createEntitiesStore(db: Db): EntitiesStore {
  const alerts = (scope: Scope) => db.selectFrom("alerts").where(isInScope(scope));
  return {
    async find(scope, entity, { from, to }, limit) {
      // Find before sorting: a scan in time order could read the whole table for a rare entity.
      const found = alerts(scope)
        .select(["id", "last_seen"])
        .where(isAbout(entity))
        .where("last_seen", ">=", from)
        .where("first_seen", "<", to)
        .limit(MAX_COUNTED + 1);
      const { rows } = await sql<{ total: number; ids: string[] }>`
        WITH found AS MATERIALIZED (${found})
        SELECT (SELECT count(*)::int FROM found) AS total,
          ARRAY(SELECT id::text FROM found ORDER BY last_seen DESC, id DESC LIMIT ${limit}) AS ids`.execute(db);
      const { total = 0, ids = [] } = rows[0] ?? {};
      const newest = await alerts(scope)
        .select(ENTITY_ALERT_COLUMNS)
        .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
        .orderBy("last_seen", "desc")
        .orderBy("id", "desc")
        .execute();
      return { alerts: newest, total: Math.min(total, MAX_COUNTED), is_partial: total > ids.length };
    },

    async count(scope, type, { from, to }) {
      const newest = alerts(scope)
        .select(["severity", "status", "verdict", "last_seen"])
        .select(NAMING[type])
        .where("last_seen", ">=", from)
        .where("last_seen", "<", to)
        .orderBy("last_seen", "desc")
        .orderBy("id", "desc")
        .limit(MAX_LISTED + 1);
      const { rows } = await sql<CountedFacts & { seen: number }>`
        WITH newest AS MATERIALIZED (${newest})
        SELECT value, severity, status, verdict, floor(extract(epoch FROM ${to}::timestamptz - last_seen) / 86400)::int AS days,
          count(*)::int AS count, max(last_seen) AS last_seen, (SELECT count(*)::int FROM newest) AS seen
        FROM newest, LATERAL (${VALUES[type]}) AS named
        GROUP BY value, severity, status, verdict, days`.execute(db);
      return { facts: rows.map(({ seen: _, ...fact }) => fact), is_partial: (rows[0]?.seen ?? 0) > MAX_LISTED };
    },
  };
}

const IS_ADDRESS = "^([0-9]{1,3}[.]){3}[0-9]{1,3}$|^[0-9a-f:]*:[0-9a-f:.]*$";

/** The columns that name entities of each type. */
const NAMING = {
  host: ["filter_keys"],
  user: ["filter_keys"],
  address: ["filter_keys", "entities", "iocs"],
  domain: ["iocs"],
  hash: ["iocs"],
} as const;

const VALUES: Readonly<Record<EntityType, RawBuilder<unknown>>> = {
  host: sql`SELECT substr(key, 6) AS value FROM unnest(filter_keys) AS key
    WHERE starts_with(key, 'host:') AND substr(key, 6) !~ ${sql.lit(IS_ADDRESS)}`,
  user: sql`SELECT substr(key, 6) AS value FROM unnest(filter_keys) AS key WHERE starts_with(key, 'user:')`,
  address: sql`SELECT jsonb_array_elements(entities -> 'addresses') ->> 'name' AS value
    UNION SELECT substr(key, 6) FROM unnest(filter_keys) AS key
      WHERE starts_with(key, 'host:') AND substr(key, 6) ~ ${sql.lit(IS_ADDRESS)}
    UNION SELECT lower(ioc) FROM unnest(iocs) AS ioc WHERE lower(ioc) ~ ${sql.lit(IS_ADDRESS)}`,
  domain: sql`SELECT DISTINCT lower(ioc) AS value FROM unnest(iocs) AS ioc
    WHERE ioc ~ '^[^\\s/@:]+[.][^\\s/@:]+$' AND ioc !~ '^[0-9.]+$'`,
  hash: sql`SELECT DISTINCT lower(ioc) AS value FROM unnest(iocs) AS ioc
    WHERE ioc ~* '^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$'`,
};

/** Each part of the condition has its index. */
function isAbout({ type, value }: Entity): RawBuilder<boolean> {
  switch (type) {
    case "host":
    case "user":
      return hasKey([`${type}:${value}`]);
    case "address":
      return sql<boolean>`(jsonb_path_query_array(entities, '$.addresses[*].name') ?| ${[value]}::text[]
        OR ${hasKey([`host:${value}`])} OR ${hasIoc([value])})`;
    case "domain":
    case "hash":
      return hasIoc([value, value.toUpperCase()]);
    default:
      return type satisfies never;
  }
}

/** Computes the same over the alerts of the showcase. */
export function createShowcaseEntities(alerts: readonly Alert[]): EntitiesStore {
  const within = ({ from, to }: Span) =>
    alerts
      .filter(({ first_seen, last_seen }) => last_seen >= from && first_seen < to)
      .toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime());

  return {
    async find(_scope, entity, span, limit) {
      const name = formatEntity(entity);
      const found = within(span).filter((alert) => listEntities(alert).some((each) => formatEntity(each) === name));
      return { alerts: found.slice(0, limit), total: found.length, is_partial: found.length > limit };
    },

    async count(_scope, type, span) {
      const facts = within(span).flatMap((alert) =>
        listEntities(alert)
          .filter((entity) => entity.type === type)
          .map(({ value }) => {
            const { severity, status, verdict, last_seen } = alert;
            return { value, severity, status, verdict, last_seen, days: countDays(last_seen, span.to), count: 1 };
          }),
      );
      return { facts, is_partial: false };
    },
  };
}
