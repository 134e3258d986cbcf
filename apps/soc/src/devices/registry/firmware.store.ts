import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { newestFirst } from "../../foundation/lists/order.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { FirmwareRow } from "./device.ts";
import type { FirmwareBody, ListFirmwareQuery } from "./devices.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    firmware: Omit<FirmwareRow, "pcrs" | "sbom_components"> & {
      pcrs: Generated<FirmwareBody["pcrs"]>;
      sbom_components: Generated<FirmwareBody["sbom_components"]>;
    };
  }
}

export const NEWEST_FIRMWARE_FIRST = newestFirst("created_at");
export type ListedFirmware = FirmwareBody & Pick<FirmwareRow, "created_at">;

export type FirmwareStore = ReturnType<typeof createFirmwareStore>;

export function createFirmwareStore(db: Db) {
  return {
    async list(query: ListFirmwareQuery): Promise<Page<ListedFirmware>> {
      const page = await readPage(db, selectListed(db, query), NEWEST_FIRMWARE_FIRST, query);
      const counts = await countDevices(
        db,
        page.items.map(({ hash }) => hash),
      );
      return {
        ...page,
        items: page.items.map((row) => ({ ...toShownFirmware(row), devices: counts.get(row.hash) ?? 0 })),
      };
    },
  };
}

/** Omits the approval of an entry that waits for none. */
export function toShownFirmware<Row extends Pick<FirmwareRow, "approval_id">>({ approval_id, ...row }: Row) {
  return { ...row, ...(approval_id && { approval_id }) };
}

async function countDevices(db: Db, hashes: readonly string[]): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom("devices")
    .select(["firmware_hash", sql<number>`count(*)::int`.as("count")])
    .where("firmware_hash", "in", hashes)
    .where("status", "!=", "revoked")
    .groupBy("firmware_hash")
    .execute();
  return new Map(rows.map(({ firmware_hash, count }) => [firmware_hash ?? "", count]));
}

function selectListed(db: Db, { vendor, product, hash, known_good }: ListFirmwareQuery) {
  let listed = db.selectFrom("firmware").selectAll();
  if (vendor !== undefined) listed = listed.where("vendor", "=", vendor);
  if (product !== undefined) listed = listed.where("product", "=", product);
  if (hash !== undefined) listed = listed.where("hash", "=", hash);
  if (known_good !== undefined) listed = listed.where("known_good", "=", known_good);
  return listed;
}

export function createFirmwareWriter(tx: Db) {
  const toColumns = ({ pcrs, sbom_components, ...row }: FirmwareRow) => ({
    ...row,
    pcrs: sql<FirmwareBody["pcrs"]>`${JSON.stringify(pcrs)}::jsonb`,
    sbom_components: sql<FirmwareBody["sbom_components"]>`${JSON.stringify(sbom_components)}::jsonb`,
  });
  return {
    async insert(row: FirmwareRow): Promise<void> {
      await tx.insertInto("firmware").values(toColumns(row)).execute();
    },

    /** Locks and returns the entry with that hash. */
    lock: (hash: string): Promise<FirmwareRow | undefined> =>
      tx.selectFrom("firmware").selectAll().where("hash", "=", hash).forUpdate().executeTakeFirst(),

    /** Replaces the entry with the same hash. */
    async replace(row: FirmwareRow): Promise<void> {
      await tx.updateTable("firmware").set(toColumns(row)).where("hash", "=", row.hash).execute();
    },

    /** Trusts the entry that waits for this approval, or ends its wait. */
    settle: (approval_id: string, isApproved: boolean): Promise<FirmwareRow | undefined> =>
      tx
        .updateTable("firmware")
        .set({ approval_id: null, ...(isApproved && { known_good: true }) })
        .where("approval_id", "=", approval_id)
        .returningAll()
        .executeTakeFirst(),

    countDevices: async (hash: string): Promise<number> => (await countDevices(tx, [hash])).get(hash) ?? 0,
  };
}
