import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { type Channel, NEWEST_FIRST } from "./channel.ts";
import type { SettingsCipher, StoredSettings } from "./sealing.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    notification_channels: ChannelRow;
  }
}

export type ChannelRow = Omit<Channel, "settings"> & { settings: StoredSettings };

export interface ChannelsStore {
  list(query: PageQuery): Promise<Page<Channel>>;
  find(id: string): Promise<Channel | undefined>;
  /** Finds a channel by name or id. */
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
  "approval_id",
] as const satisfies readonly (keyof Channel)[];

export function createChannelsStore(db: Db, sealing: SettingsCipher): ChannelsStore {
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

function unsealChannel(row: ChannelRow, sealing: SettingsCipher): Channel {
  return { ...row, settings: sealing.open(row.id, row.settings) };
}

function sealSettings({ id, settings }: Pick<Channel, "id" | "settings">, sealing: SettingsCipher) {
  return sql<StoredSettings>`${JSON.stringify(sealing.seal(id, settings))}::jsonb`;
}

/** Writes and the reads that they need. */
export function createChannelsWriter(db: Db, sealing: SettingsCipher) {
  return {
    /** Returns false if the name is taken. */
    async insert(channel: Channel): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("notification_channels")
        .values({ ...channel, settings: sealSettings(channel, sealing) })
        .onConflict((taken) => taken.column("name").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async count(): Promise<number> {
      const { count } = await db
        .selectFrom("notification_channels")
        .select(sql<number>`count(*)::int`.as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    async isNameTaken({ id, name }: Channel): Promise<boolean> {
      const other = await db
        .selectFrom("notification_channels")
        .select("id")
        .where("name", "=", name)
        .where("id", "<>", id)
        .executeTakeFirst();
      return other !== undefined;
    },

    async lock(id: string): Promise<Channel | undefined> {
      if (!isUuid(id)) return undefined;
      const channels = db.selectFrom("notification_channels").select(COLUMNS);
      const row = await channels.where("id", "=", id).forUpdate().executeTakeFirst();
      return row && unsealChannel(row, sealing);
    },

    async update(channel: Channel): Promise<void> {
      const { id, ...fields } = channel;
      await db
        .updateTable("notification_channels")
        .set({ ...fields, settings: sealSettings(channel, sealing) })
        .where("id", "=", id)
        .execute();
    },

    /** Enables the channel that waits for this approval, or ends its wait. */
    async settle(approval_id: string, isApproved: boolean, updated_at: Date): Promise<Channel | undefined> {
      const row = await db
        .updateTable("notification_channels")
        .set({ approval_id: null, updated_at, ...(isApproved && { enabled: true }) })
        .where("approval_id", "=", approval_id)
        .returning(COLUMNS)
        .executeTakeFirst();
      return row && unsealChannel(row, sealing);
    },

    async delete(id: string): Promise<void> {
      await db.deleteFrom("notification_channels").where("id", "=", id).execute();
    },

    /** Encrypts settings that an earlier release stored as plain text and returns the number of channels. */
    async sealPlain(): Promise<number> {
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

export function createShowcaseChannelsStore(channels: readonly Channel[]): ChannelsStore {
  return {
    list: async (query) => pageInMemory(channels, NEWEST_FIRST, query),
    find: async (id) => channels.find((channel) => channel.id === id),
    findNamed: async (name) => channels.find((channel) => channel.name === name || channel.id === name),
    enabled: async () => channels.filter(({ enabled }) => enabled),
  };
}
