import { sql } from "kysely";
import type { Db } from "../adapters/postgres.ts";
import { readPage } from "../lists/keyset.ts";
import type { PageQuery } from "../lists/lists.schema.ts";
import { pageInMemory } from "../lists/order.ts";
import type { Page } from "../lists/page.ts";
import { isUuid } from "../lists/uuid.ts";
import { type Channel, NEWEST_FIRST } from "./channel.ts";

export interface ChannelsStore {
  list(query: PageQuery): Promise<Page<Channel>>;
  find(id: string): Promise<Channel | undefined>;
  /** By its id or its name. */
  findNamed(name: string): Promise<Channel | undefined>;
  /** All that are told of events. */
  enabled(): Promise<Channel[]>;
}

export const MOST_CHANNELS = 200;

const COLUMNS = [
  "id",
  "name",
  "kind",
  "settings",
  "events",
  "enabled",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Channel)[];

export function createChannelsStore(db: Db): ChannelsStore {
  const channels = () => db.selectFrom("notification_channels").select(COLUMNS);
  const find = async (id: string) => (isUuid(id) ? channels().where("id", "=", id).executeTakeFirst() : undefined);
  return {
    list: (query) => readPage<Channel>(db, channels(), NEWEST_FIRST, query),
    find,
    findNamed: async (name) => (await channels().where("name", "=", name).executeTakeFirst()) ?? (await find(name)),
    enabled: () => channels().where("enabled", "=", true).orderBy("id").limit(MOST_CHANNELS).execute(),
  };
}

/** Answers false when the name is taken. */
export async function insertChannel(tx: Db, channel: Channel): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("notification_channels")
    .values({ ...channel, settings: sql`${JSON.stringify(channel.settings)}::jsonb` })
    .onConflict((taken) => taken.column("name").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function countChannels(tx: Db): Promise<number> {
  const { count } = await tx
    .selectFrom("notification_channels")
    .select(sql<number>`count(*)::int`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export async function isNameTaken(tx: Db, { id, name }: Channel): Promise<boolean> {
  const other = await tx
    .selectFrom("notification_channels")
    .select("id")
    .where("name", "=", name)
    .where("id", "<>", id)
    .executeTakeFirst();
  return other !== undefined;
}

export async function lockChannel(tx: Db, id: string): Promise<Channel | undefined> {
  if (!isUuid(id)) return undefined;
  return tx.selectFrom("notification_channels").select(COLUMNS).where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function updateChannel(tx: Db, { id, settings, ...fields }: Channel): Promise<void> {
  await tx
    .updateTable("notification_channels")
    .set({ ...fields, settings: sql`${JSON.stringify(settings)}::jsonb` })
    .where("id", "=", id)
    .execute();
}

export async function deleteChannel(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("notification_channels").where("id", "=", id).execute();
}

export function createShowcaseChannelsStore(channels: readonly Channel[]): ChannelsStore {
  return {
    list: async (query) => pageInMemory(channels, NEWEST_FIRST, query),
    find: async (id) => channels.find((channel) => channel.id === id),
    findNamed: async (name) => channels.find((channel) => channel.name === name || channel.id === name),
    enabled: async () => channels.filter(({ enabled }) => enabled),
  };
}
