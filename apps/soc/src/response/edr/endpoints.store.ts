import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
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
  list(query: ListEndpointsQuery, now: Date): Promise<Page<EndpointRow>>;
  find(id: string): Promise<EndpointRow | undefined>;
  /** By id or hostname; more than one row means that the hostname is ambiguous. */
  findNamed(name: string): Promise<EndpointRow[]>;
  counts(now: Date): Promise<EdrCounts>;
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
  const endpoints = () => db.selectFrom("edr_endpoints").select(COLUMNS).where("retired_at", "is", null);

  async function countBy(column: "os" | "site"): Promise<Record<string, number>> {
    const rows = await db
      .selectFrom("edr_endpoints")
      .select([sql<string>`coalesce(${sql.ref(column)}, 'unknown')`.as("name"), sql<number>`count(*)::int`.as("count")])
      .where("retired_at", "is", null)
      .groupBy("name")
      .orderBy("count", "desc")
      .orderBy("name")
      .limit(MAX_NAMES)
      .execute();
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }

  return {
    list: (query, now) => readPage(db, selectListed(db, query, now), NEWEST_ENDPOINT_FIRST, query),

    async find(id) {
      return isUuid(id) ? endpoints().where("id", "=", id).executeTakeFirst() : undefined;
    },

    findNamed: (name) =>
      endpoints()
        .where((row) => (isUuid(name) ? row("id", "=", name) : sql<boolean>`lower(hostname) = lower(${name})`))
        .limit(2)
        .execute(),

    async counts(now) {
      const since = onlineSince(now);
      const counted = await db
        .selectFrom("edr_endpoints")
        .select([
          sql<number>`count(*)::int`.as("total"),
          sql<number>`(count(*) FILTER (WHERE last_seen > ${since}))::int`.as("online"),
          sql<number>`(count(*) FILTER (WHERE reported = 'isolated'))::int`.as("isolated"),
        ])
        .where("retired_at", "is", null)
        .executeTakeFirstOrThrow();
      const { pending_actions } = await db
        .selectFrom("edr_actions")
        .select(sql<number>`count(*)::int`.as("pending_actions"))
        .where("status", "=", "dispatched")
        .executeTakeFirstOrThrow();
      const offline = counted.total - counted.online;
      return { ...counted, offline, pending_actions, by_os: await countBy("os"), by_site: await countBy("site") };
    },
  };
}

const IS_PENDING = sql<boolean>`desired <> reported AND NOT (desired = 'normal' AND reported = 'unknown')`;

function selectListed(db: Db, { site, os, status, isolation, q }: ListEndpointsQuery, now: Date) {
  let listed = db.selectFrom("edr_endpoints").select(COLUMNS).where("retired_at", "is", null);
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
  lock(id: string): Promise<EndpointRow | undefined>;
  /** Also registers a retired endpoint again. Returns false when another transaction inserted it first. */
  insert(row: EndpointRow): Promise<boolean>;
  count(): Promise<number>;
  /** The id of another endpoint with this hostname. Until the transaction ends, no other one takes the name. */
  lockName(endpoint: Pick<EndpointRow, "id" | "hostname">): Promise<string | undefined>;
  update(id: string, fields: Partial<EndpointRow>): Promise<void>;
}

export function createEndpointsWriter(tx: Db): EndpointsWriter {
  return {
    async lock(id) {
      if (!isUuid(id)) return undefined;
      return tx
        .selectFrom("edr_endpoints")
        .select(COLUMNS)
        .where("id", "=", id)
        .where("retired_at", "is", null)
        .forUpdate()
        .executeTakeFirst();
    },

    async insert(row) {
      const { id: _, ...fields } = row;
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("edr_endpoints")
        .values(row)
        .onConflict((known) => known.column("id").doUpdateSet(fields).where("edr_endpoints.retired_at", "is not", null))
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async count() {
      const { count } = await tx
        .selectFrom("edr_endpoints")
        .select(sql<number>`count(*)::int`.as("count"))
        .where("retired_at", "is", null)
        .executeTakeFirstOrThrow();
      return count;
    },

    async lockName({ id, hostname }) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(lower(${hostname}), ${NAME_LOCKS}))`.execute(tx);
      const other = await tx
        .selectFrom("edr_endpoints")
        .select("id")
        .where(sql<boolean>`lower(hostname) = lower(${hostname})`)
        .where("id", "!=", id)
        .where("retired_at", "is", null)
        .executeTakeFirst();
      return other?.id;
    },

    async update(id, fields) {
      await tx.updateTable("edr_endpoints").set(fields).where("id", "=", id).execute();
    },
  };
}
