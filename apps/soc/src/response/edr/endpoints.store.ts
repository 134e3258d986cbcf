import { type SelectQueryBuilder, sql } from "kysely";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import { ALL_SITES, type Scope } from "../../foundation/caller/scope.ts";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import type { EdrStatsBody, ListEndpointsQuery } from "./edr.schema.ts";
import { type EndpointRow, NEWEST_ENDPOINT_FIRST, onlineSince } from "./endpoint.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    edr_endpoints: EndpointRow;
  }
}

export type EdrCounts = Omit<EdrStatsBody, "adapter">;

/** Reads outside a transaction. */
export interface EndpointsStore {
  list(scope: Scope, query: ListEndpointsQuery, now: Date): Promise<Page<EndpointRow>>;
  find(scope: Scope, id: string): Promise<EndpointRow | undefined>;
  /** Those of the ids that the scope has, retired ones included. */
  findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** By id or hostname; more than one row means that the hostname is ambiguous. */
  findNamed(scope: Scope, name: string): Promise<EndpointRow[]>;
  counts(scope: Scope, now: Date): Promise<EdrCounts>;
}

const COLUMNS = [
  "id",
  "hostname",
  "ip",
  "os",
  "site",
  "agent_version",
  "risk",
  "desired",
  "reported",
  "last_seen",
  "registered_at",
  "retired_at",
] as const satisfies readonly (keyof EndpointRow)[];

/** The seed that keeps the locks of names apart from other advisory locks. */
const NAME_LOCKS = 7_305_138;

/** Limits the number of groups in a count. */
const MAX_NAMES = 100;

export function createEndpointsStore(db: Db): EndpointsStore {
  const endpoints = (scope: Scope) => selectCurrent(db, scope).select(COLUMNS);

  async function countBy(scope: Scope, column: "os" | "site"): Promise<Record<string, number>> {
    const rows = await selectCurrent(db, scope)
      .select([sql<string>`coalesce(${sql.ref(column)}, 'unknown')`.as("name"), sql<number>`count(*)::int`.as("count")])
      .groupBy("name")
      .orderBy("count", "desc")
      .orderBy("name")
      .limit(MAX_NAMES)
      .execute();
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }

  return {
    list: (scope, query, now) => readPage(db, selectListed(endpoints(scope), query, now), NEWEST_ENDPOINT_FIRST, query),

    async find(scope, id) {
      return isUuid(id) ? endpoints(scope).where("id", "=", id).executeTakeFirst() : undefined;
    },

    async findVisible(scope, ids) {
      const known = db.selectFrom("edr_endpoints").select("id").where(isInScope(scope));
      const rows = await known.where(sql<boolean>`id = ANY(${ids.filter(isUuid)}::uuid[])`).execute();
      return new Set(rows.map(({ id }) => id));
    },

    findNamed: (scope, name) =>
      endpoints(scope)
        .where((row) => (isUuid(name) ? row("id", "=", name) : sql<boolean>`lower(hostname) = lower(${name})`))
        .limit(2)
        .execute(),

    async counts(scope, now) {
      const since = onlineSince(now);
      const counted = await selectCurrent(db, scope)
        .select([
          sql<number>`count(*)::int`.as("total"),
          sql<number>`(count(*) FILTER (WHERE last_seen > ${since}))::int`.as("online"),
          sql<number>`(count(*) FILTER (WHERE reported = 'isolated'))::int`.as("isolated"),
        ])
        .executeTakeFirstOrThrow();
      const { pending_actions } = await db
        .selectFrom("edr_actions")
        .select(sql<number>`count(*)::int`.as("pending_actions"))
        .where("status", "=", "dispatched")
        .$if(scope !== ALL_SITES, (pending) =>
          pending.where("endpoint_id", "in", db.selectFrom("edr_endpoints").select("id").where(isInScope(scope))),
        )
        .executeTakeFirstOrThrow();
      const offline = counted.total - counted.online;
      const [by_os, by_site] = [await countBy(scope, "os"), await countBy(scope, "site")];
      return { ...counted, offline, pending_actions, by_os, by_site };
    },
  };
}

const IS_PENDING = sql<boolean>`desired <> reported AND NOT (desired = 'normal' AND reported = 'unknown')`;

/** Where every read of endpoints begins: those of the scope that are not retired. */
function selectCurrent(db: Db, scope: Scope) {
  return db.selectFrom("edr_endpoints").where("retired_at", "is", null).where(isInScope(scope));
}

type Endpoints = SelectQueryBuilder<Tables, "edr_endpoints", EndpointRow>;

function selectListed(endpoints: Endpoints, query: ListEndpointsQuery, now: Date): Endpoints {
  const { site, os, status, isolation, q } = query;
  let listed = endpoints;
  if (site !== undefined) listed = listed.where("site", "=", site);
  if (os !== undefined) listed = listed.where("os", "=", os);
  if (status !== undefined) listed = listed.where("last_seen", status === "online" ? ">" : "<=", onlineSince(now));
  if (isolation === "pending") listed = listed.where(IS_PENDING);
  else if (isolation !== undefined) listed = listed.where("reported", "=", isolation);
  if (q !== undefined) {
    listed = listed.where(sql<boolean>`(strpos(lower(hostname), lower(${q})) > 0 OR starts_with(ip, ${q}))`);
  }
  return listed;
}

/** The writes of a transaction, and the reads that they need. */
export interface EndpointsWriter {
  /** Locks the row until the transaction ends. A retired endpoint does not exist. */
  lock(scope: Scope, id: string): Promise<EndpointRow | undefined>;
  /**
   * Also registers a retired endpoint of the scope again. Returns false when another transaction inserted it first, or
   * the id belongs to another site.
   */
  insert(scope: Scope, row: EndpointRow): Promise<boolean>;
  count(scope: Scope): Promise<number>;
  /** The id of another endpoint with this hostname. Until the transaction ends, no other one takes the name. */
  lockName(scope: Scope, endpoint: Pick<EndpointRow, "id" | "hostname">): Promise<string | undefined>;
  update(id: string, fields: Partial<EndpointRow>): Promise<void>;
}

export function createEndpointsWriter(tx: Db): EndpointsWriter {
  return {
    async lock(scope, id) {
      if (!isUuid(id)) return undefined;
      return selectCurrent(tx, scope).select(COLUMNS).where("id", "=", id).forUpdate().executeTakeFirst();
    },

    async insert(scope, row) {
      const { id, ...fields } = row;
      // Not "do update": PostgreSQL would answer an error where its policies hide the row that has the id.
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("edr_endpoints")
        .values(row)
        .onConflict((known) => known.column("id").doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 1n) return true;
      const retired = tx.updateTable("edr_endpoints").set(fields).where("id", "=", id);
      const again = retired.where("retired_at", "is not", null).where(isInScope(scope));
      return (await again.executeTakeFirst()).numUpdatedRows === 1n;
    },

    async count(scope) {
      const { count } = await selectCurrent(tx, scope)
        .select(sql<number>`count(*)::int`.as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    async lockName(scope, { id, hostname }) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${hostname}), ${NAME_LOCKS}))`.execute(tx);
      const other = await selectCurrent(tx, scope)
        .select("id")
        .where(sql<boolean>`lower(hostname) = lower(${hostname})`)
        .where("id", "!=", id)
        .executeTakeFirst();
      return other?.id;
    },

    async update(id, fields) {
      await tx.updateTable("edr_endpoints").set(fields).where("id", "=", id).execute();
    },
  };
}
