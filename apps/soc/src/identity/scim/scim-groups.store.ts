import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { isStorable } from "../../foundation/records/storable.ts";
import { refuseFilter, type Term } from "./scim-filter.ts";
import type { GroupNames, ScimGroup } from "./scim-group.ts";
import type { Range } from "./scim-list.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    scim_groups: ScimGroup;
    scim_members: { group_id: string; user_id: string };
  }
}

interface Member {
  id: string;
  user_name: string;
}

type Groups = SelectQueryBuilder<Tables, "scim_groups", ScimGroup>;

/** The groups of one provider. */
export function createScimGroupsStore(db: Db, provider: string) {
  const all = (): Groups => db.selectFrom("scim_groups").selectAll().where("provider", "=", provider);
  const hasMember = (id: string) =>
    sql<SqlBool>`EXISTS (SELECT FROM scim_members WHERE group_id = scim_groups.id AND user_id = ${id})`;
  const conditions: ReadonlyMap<string, (groups: Groups, value: string) => Groups> = new Map([
    ["displayname", (groups, value) => groups.where(sql`lower(display_name)`, "=", value.toLowerCase())],
    ["externalid", (groups, value) => groups.where("external_id", "=", value)],
    ["id", (groups, value) => groups.where(sql<SqlBool>`id::text = ${value.toLowerCase()}`)],
    ["members", (groups, value) => groups.where(isUuid(value) ? hasMember(value) : sql<SqlBool>`false`)],
    ["members.value", (groups, value) => groups.where(isUuid(value) ? hasMember(value) : sql<SqlBool>`false`)],
  ]);

  const count = async (groups: Groups) => {
    const counted = groups.clearSelect().select((each) => each.fn.countAll<string>().as("total"));
    return Number((await counted.executeTakeFirstOrThrow()).total);
  };

  return {
    async find(id: string): Promise<ScimGroup | undefined> {
      return isUuid(id) ? all().where("id", "=", id).executeTakeFirst() : undefined;
    },

    /** Each group with the number of its members. */
    async list(
      terms: readonly Term[],
      range: Range,
    ): Promise<{ groups: (ScimGroup & { size: number })[]; total: number }> {
      let selected = all();
      for (const { attribute, value } of terms) {
        const condition = conditions.get(attribute);
        if (!condition) throw refuseFilter(attribute);
        selected =
          typeof value === "string" && isStorable(value)
            ? condition(selected, value)
            : selected.where(sql<SqlBool>`false`);
      }
      const total = await count(selected);
      if (range.count === 0) return { groups: [], total };
      const size = sql<number>`(SELECT count(*)::int FROM scim_members WHERE group_id = scim_groups.id)`.as("size");
      const page = selected.select(size).orderBy("created_at").orderBy("id");
      const groups = await page
        .offset(range.startIndex - 1)
        .limit(range.count)
        .execute();
      return { groups, total };
    },

    async hasName(display_name: string, exceptId: string): Promise<boolean> {
      const others = all().where(sql`lower(display_name)`, "=", display_name.toLowerCase());
      return (await others.where("id", "<>", exceptId).executeTakeFirst()) !== undefined;
    },

    count: (): Promise<number> => count(all()),

    async listMembers(ids: readonly string[]): Promise<(Member & { group_id: string })[]> {
      if (ids.length === 0) return [];
      return db
        .selectFrom("scim_members")
        .innerJoin("scim_users", "scim_users.id", "scim_members.user_id")
        .select(["scim_members.group_id", "scim_users.id", "scim_users.user_name"])
        .where("scim_members.group_id", "in", ids)
        .orderBy("scim_users.id")
        .execute();
    },

    /** The groups of each of these users, among those that a right names. */
    async listGroupsOf(
      userIds: readonly string[],
      named: readonly string[],
    ): Promise<(GroupNames & { user_id: string })[]> {
      if (userIds.length === 0 || named.length === 0) return [];
      return db
        .selectFrom("scim_members")
        .innerJoin("scim_groups", "scim_groups.id", "scim_members.group_id")
        .select(["scim_members.user_id", "scim_groups.display_name", "scim_groups.external_id"])
        .where("scim_members.user_id", "in", userIds)
        .where((has) =>
          has.or([has("scim_groups.display_name", "in", named), has("scim_groups.external_id", "in", named)]),
        )
        .execute();
    },
  };
}

export function createScimGroupsWriter(tx: Db) {
  return {
    async insert(group: ScimGroup): Promise<void> {
      await tx.insertInto("scim_groups").values(group).execute();
    },

    async update({ id, display_name, external_id, updated_at }: ScimGroup): Promise<void> {
      await tx.updateTable("scim_groups").set({ display_name, external_id, updated_at }).where("id", "=", id).execute();
    },

    async delete(id: string): Promise<void> {
      await tx.deleteFrom("scim_groups").where("id", "=", id).execute();
    },

    async addMembers(group_id: string, userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      const members = userIds.map((user_id) => ({ group_id, user_id }));
      await tx
        .insertInto("scim_members")
        .values(members)
        .onConflict((known) => known.doNothing())
        .execute();
    },

    async removeMembers(group_id: string, userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      await tx.deleteFrom("scim_members").where("group_id", "=", group_id).where("user_id", "in", userIds).execute();
    },
  };
}
