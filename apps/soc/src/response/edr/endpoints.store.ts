import { type SelectQueryBuilder, sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
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
  /** Returns the ids that are in the scope, including retired endpoints. */
  findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Finds endpoints by id or hostname; more than one row means that the hostname is ambiguous. */
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

/** Separates the locks of hostnames from other advisory locks. */
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

/** Selects the endpoints of the scope that are not retired; every read starts here. */
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

/** The writes of a transaction and the reads that they need. */
export type EndpointsWriter = ReturnType<typeof createEndpointsWriter>;

export function createEndpointsWriter(tx: Db) {
  return {
    /** Locks the row until the transaction ends. A retired endpoint does not exist. */
    async lock(scope: Scope, id: string): Promise<EndpointRow | undefined> {
      if (!isUuid(id)) return undefined;
      return selectCurrent(tx, scope).select(COLUMNS).where("id", "=", id).forUpdate().executeTakeFirst();
    },

    /**
     * Also re-registers a retired endpoint of the scope. Returns false if another transaction inserted it first, or
     * the id belongs to another site.
     */
    async insert(scope: Scope, row: EndpointRow): Promise<boolean> {
      const { id, ...fields } = row;
      // "do update" would fail where PostgreSQL policies hide the row with the id.
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

    async count(scope: Scope): Promise<number> {
      const { count } = await selectCurrent(tx, scope)
        .select(sql<number>`count(*)::int`.as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Returns the id of another endpoint with this hostname and reserves the name until the transaction ends. */
    async lockName(scope: Scope, { id, hostname }: Pick<EndpointRow, "id" | "hostname">): Promise<string | undefined> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${hostname}), ${NAME_LOCKS}))`.execute(tx);
      const other = await selectCurrent(tx, scope)
        .select("id")
        .where(sql<boolean>`lower(hostname) = lower(${hostname})`)
        .where("id", "!=", id)
        .executeTakeFirst();
      return other?.id;
    },

    async update(id: string, fields: Partial<EndpointRow>): Promise<void> {
      await tx.updateTable("edr_endpoints").set(fields).where("id", "=", id).execute();
    },
  };
}
