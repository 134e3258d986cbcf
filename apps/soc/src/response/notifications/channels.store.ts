import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { type Channel, NEWEST_FIRST } from "./channel.ts";
import type { Sealing, StoredSettings } from "./sealing.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    notification_channels: ChannelRow;
  }
}

export type ChannelRow = Omit<Channel, "settings"> & { settings: StoredSettings };

export interface ChannelsStore {
  list(query: PageQuery): Promise<Page<Channel>>;
  find(id: string): Promise<Channel | undefined>;
  /** By name or id. */
  findNamed(name: string): Promise<Channel | undefined>;
  enabled(): Promise<Channel[]>;
}

export const MAX_CHANNELS = 200;

const COLUMNS = [
  "id",
  "name",
  "kind",
  "settings",
  "address_set_at",
  "events",
  "enabled",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Channel)[];

export function createChannelsStore(db: Db, sealing: Sealing): ChannelsStore {
  const channels = () => db.selectFrom("notification_channels").select(COLUMNS);
  const opened = (row: ChannelRow) => unsealChannel(row, sealing);
  const find = async (id: string) => {
    const row = isUuid(id) ? await channels().where("id", "=", id).executeTakeFirst() : undefined;
    return row && opened(row);
  };
  return {
    async list(query) {
      const page = await readPage<ChannelRow>(db, channels(), NEWEST_FIRST, query);
      return { ...page, items: page.items.map(opened) };
    },

    find,

    async findNamed(name) {
      const row = await channels().where("name", "=", name).executeTakeFirst();
      return row ? opened(row) : find(name);
    },

    async enabled() {
      const rows = await channels().where("enabled", "=", true).orderBy("id").limit(MAX_CHANNELS).execute();
      return rows.map(opened);
    },
  };
}

function unsealChannel(row: ChannelRow, sealing: Sealing): Channel {
  return { ...row, settings: sealing.open(row.id, row.settings) };
}

function sealSettings({ id, settings }: Pick<Channel, "id" | "settings">, sealing: Sealing) {
  return sql<StoredSettings>`${JSON.stringify(sealing.seal(id, settings))}::jsonb`;
}

/** Writes, and the reads that they need. */
export interface ChannelsWriter {
  /** Returns false when the name is taken. */
  insert(channel: Channel): Promise<boolean>;
  count(): Promise<number>;
  isNameTaken(channel: Channel): Promise<boolean>;
  lock(id: string): Promise<Channel | undefined>;
  update(channel: Channel): Promise<void>;
  delete(id: string): Promise<void>;
  /** Encrypts settings that an earlier release stored as plain text; returns the number of channels. */
  sealPlain(): Promise<number>;
}

export function createChannelsWriter(db: Db, sealing: Sealing): ChannelsWriter {
  return {
    async insert(channel) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("notification_channels")
        .values({ ...channel, settings: sealSettings(channel, sealing) })
        .onConflict((taken) => taken.column("name").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async count() {
      const { count } = await db
        .selectFrom("notification_channels")
        .select(sql<number>`count(*)::int`.as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    async isNameTaken({ id, name }) {
      const other = await db
        .selectFrom("notification_channels")
        .select("id")
        .where("name", "=", name)
        .where("id", "<>", id)
        .executeTakeFirst();
      return other !== undefined;
    },

    async lock(id) {
      if (!isUuid(id)) return undefined;
      const channels = db.selectFrom("notification_channels").select(COLUMNS);
      const row = await channels.where("id", "=", id).forUpdate().executeTakeFirst();
      return row && unsealChannel(row, sealing);
    },

    async update(channel) {
      const { id, ...fields } = channel;
      await db
        .updateTable("notification_channels")
        .set({ ...fields, settings: sealSettings(channel, sealing) })
        .where("id", "=", id)
        .execute();
    },

    async delete(id) {
      await db.deleteFrom("notification_channels").where("id", "=", id).execute();
    },

    async sealPlain() {
      const rows = await db
        .selectFrom("notification_channels")
        .select(["id", "settings"])
        .where(sql<boolean>`settings ?| ARRAY['url', 'secret']`)
        .limit(MAX_CHANNELS)
        .execute();
      for (const { id, settings } of rows) {
        await db
          .updateTable("notification_channels")
          .set({ settings: sealSettings({ id, settings }, sealing) })
          .where("id", "=", id)
          // A concurrent update has already encrypted it.
          .where(sql<boolean>`settings = ${JSON.stringify(settings)}::jsonb`)
          .execute();
      }
      return rows.length;
    },
  };
}
