import { sql } from "kysely";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { createCertificatesStore } from "../certificates/certificates.store.ts";
import { type DeviceFacts, type DeviceRow, NEWEST_DEVICE_FIRST, seenSince } from "./device.ts";
import type { ListDevicesQuery, Verdict } from "./devices.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    devices: DeviceRow;
  }
}

export interface DeviceCounts {
  total: number;
  by_verdict: Partial<Record<Verdict, number>>;
}

/** Reads outside a transaction. */
export type DevicesStore = ReturnType<typeof createDevicesStore>;

export function createDevicesStore(db: Db) {
  /** Adds records of other tables to a page of devices, with one query each. */
  async function addFacts(rows: readonly DeviceRow[]): Promise<DeviceFacts[]> {
    const certificates = await createCertificatesStore(db).findNewest(rows.map(({ id }) => id));
    const hashes = rows.flatMap(({ firmware_hash }) => firmware_hash ?? []);
    const known = hashes.length === 0 ? [] : await selectKnown(db, hashes);
    return rows.map((row) => ({
      ...row,
      certificate: certificates.get(row.id) ?? null,
      is_firmware_known: row.firmware_hash !== null && known.includes(row.firmware_hash),
    }));
  }

  const first = async (rows: Promise<DeviceRow[]>) => (await addFacts(await rows))[0];
  const devices = (scope: Scope) => selectDevices(db, scope).limit(1);

  return {
    async list(scope: Scope, query: ListDevicesQuery, now: Date): Promise<Page<DeviceFacts>> {
      const page = await readPage(db, selectListed(selectDevices(db, scope), query, now), NEWEST_DEVICE_FIRST, query);
      return { ...page, items: await addFacts(page.items) };
    },

    find: async (scope: Scope, id: string): Promise<DeviceFacts | undefined> =>
      isUuid(id) ? first(devices(scope).where("id", "=", id).execute()) : undefined,

    /** Returns the ids that are in the scope. */
    async findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await selectDevices(db, scope)
        .where(sql<boolean>`id = ANY(${ids.filter(isUuid)}::uuid[])`)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Returns a device by id, or by the name of an unrevoked device. */
    findNamed: (scope: Scope, name: string): Promise<DeviceFacts | undefined> =>
      first(
        devices(scope)
          .where((row) =>
            isUuid(name)
              ? row("id", "=", name)
              : sql<boolean>`lower(name) = lower(${name}) AND status <> ${sql.lit("revoked")}`,
          )
          .execute(),
      ),

    /** Counts devices of all sites without revoked ones. */
    async counts(): Promise<DeviceCounts> {
      const rows = await db
        .selectFrom("devices")
        .select(["verdict", sql<number>`count(*)::int`.as("count")])
        .where("status", "!=", "revoked")
        .groupBy("verdict")
        .execute();
      return {
        total: rows.reduce((sum, { count }) => sum + count, 0),
        by_verdict: Object.fromEntries(rows.flatMap(({ verdict, count }) => (verdict ? [[verdict, count]] : []))),
      };
    },
  };
}

async function selectKnown(db: Db, hashes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("firmware")
    .select("hash")
    .where("hash", "in", hashes)
    .where("known_good", "=", true)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Every read of devices starts here. */
function selectDevices(db: Db, scope: Scope) {
  return db.selectFrom("devices").selectAll().where(isInScope(scope));
}

type Devices = ReturnType<typeof selectDevices>;

function selectListed(devices: Devices, { site, type, status, verdict, q }: ListDevicesQuery, now: Date): Devices {
  let listed = devices;
  if (site !== undefined) listed = listed.where("site", "=", site);
  if (type !== undefined) listed = listed.where("type", "=", type);
  if (verdict !== undefined) listed = listed.where("verdict", "=", verdict);
  if (status !== undefined) listed = listed.where("status", "=", status === "offline" ? "active" : status);
  if (status === "active") listed = listed.where("last_seen", ">", seenSince(now));
  if (status === "offline") listed = listed.where("last_seen", "<=", seenSince(now));
  if (q !== undefined) listed = listed.where(sql<boolean>`strpos(lower(name), lower(${q})) > 0`);
  return listed;
}

/** The writes of a transaction and the reads that they need. */
export function createDevicesWriter(tx: Db) {
  const revoked = () => tx.selectFrom("devices").select("id").where("revoked_at", "is not", null);
  return {
    /** Returns false if an unrevoked device has the name. */
    async insert(row: DeviceRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("devices")
        .values(row)
        .onConflict((taken) => taken.expression(sql`lower(name)`).where("status", "!=", sql.lit("revoked")).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Locks and returns the device. */
    lock: async (scope: Scope, id: string): Promise<DeviceRow | undefined> =>
      isUuid(id) ? selectDevices(tx, scope).where("id", "=", id).forUpdate().executeTakeFirst() : undefined,

    async update(id: string, changed: Partial<Omit<DeviceRow, "id">>): Promise<void> {
      await tx.updateTable("devices").set(changed).where("id", "=", id).execute();
    },

    /** Reports whether the site has unrevoked devices. */
    async isAtSite(site: string): Promise<boolean> {
      const at = tx.selectFrom("devices").select("id").where("site", "=", site).where("status", "!=", "revoked");
      return (await at.limit(1).executeTakeFirst()) !== undefined;
    },

    /** Lists devices whose revocation is not yet verified, longest waiting first. */
    listRevoking: (limit: number): Promise<DeviceRow[]> =>
      tx
        .selectFrom("devices")
        .selectAll()
        .where("status", "=", "revoking")
        .orderBy("revoked_at")
        .limit(limit)
        .execute(),

    /** Lists the newest revoked devices, verified or not. */
    async listRevokedIds(limit: number): Promise<string[]> {
      const rows = await revoked().orderBy("revoked_at", "desc").limit(limit).execute();
      return rows.map(({ id }) => id);
    },

    /** Lists devices whose revocation was requested since the given time. */
    async listRevokedSince(since: Date, limit: number): Promise<string[]> {
      const rows = await revoked().where("revoked_at", ">", since).orderBy("revoked_at").limit(limit).execute();
      return rows.map(({ id }) => id);
    },

    /** Finishes the revocation of devices that are still waiting for it. */
    finishRevocations: (ids: readonly string[]): Promise<DeviceRow[]> =>
      tx
        .updateTable("devices")
        .set({ status: "revoked" })
        .where("id", "in", ids)
        .where("status", "=", "revoking")
        .returningAll()
        .execute(),
  };
}
