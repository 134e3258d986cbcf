import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { isStorable } from "../../foundation/records/storable.ts";
import { refuseFilter, type Term } from "./scim-filter.ts";
import type { Range } from "./scim-list.ts";
import type { ScimUser } from "./scim-user.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    scim_users: ScimUser;
  }
}

type Users = SelectQueryBuilder<Tables, "scim_users", ScimUser>;
type Condition = (users: Users, value: string | boolean) => Users;

/** The users of one provider. */
export function createScimUsersStore(db: Db, provider: string) {
  const all = (): Users => db.selectFrom("scim_users").selectAll().where("provider", "=", provider);
  const present = () => all().where("deleted_at", "is", null);
  const hasEmail = (value: string) =>
    sql<SqlBool>`EXISTS (SELECT FROM users WHERE users.username = scim_users.username AND lower(users.email) = ${value.toLowerCase()})`;
  const nothing = (users: Users) => users.where(sql<SqlBool>`false`);
  const byText = (compare: (users: Users, value: string) => Users): Condition => {
    return (users, value) => (typeof value === "string" && isStorable(value) ? compare(users, value) : nothing(users));
  };
  const byEmail = byText((users, value) => users.where(hasEmail(value)));
  const conditions: ReadonlyMap<string, Condition> = new Map([
    ["username", byText((users, value) => users.where(sql`lower(user_name)`, "=", value.toLowerCase()))],
    ["externalid", byText((users, value) => users.where("external_id", "=", value))],
    ["id", byText((users, value) => (isUuid(value) ? users.where("id", "=", value) : nothing(users)))],
    ["emails", byEmail],
    ["emails.value", byEmail],
    ['emails[type eq "work"].value', byEmail],
    ["active", (users, value) => users.where("active", "=", String(value).toLowerCase() === "true")],
  ]);

  return {
    /** Does not find users that the provider has deleted. */
    async find(id: string): Promise<ScimUser | undefined> {
      return isUuid(id) ? present().where("id", "=", id).executeTakeFirst() : undefined;
    },

    async list(terms: readonly Term[], { startIndex, count }: Range): Promise<{ users: ScimUser[]; total: number }> {
      let selected = present();
      for (const { attribute, value } of terms) {
        const condition = conditions.get(attribute);
        if (!condition) throw refuseFilter(attribute);
        selected = condition(selected, value);
      }
      const { total } = await selected
        .clearSelect()
        .select((users) => users.fn.countAll<string>().as("total"))
        .executeTakeFirstOrThrow();
      if (count === 0) return { users: [], total: Number(total) };
      const page = selected.orderBy("created_at").orderBy("id");
      const users = await page
        .offset(startIndex - 1)
        .limit(count)
        .execute();
      return { users, total: Number(total) };
    },

    /** The ids that belong to existing users. */
    async findIds(ids: readonly string[]): Promise<string[]> {
      const known = ids.filter(isUuid);
      if (known.length === 0) return [];
      const found = await present().where("id", "in", known).execute();
      return found.map(({ id }) => id);
    },

    async findAll(ids: readonly string[]): Promise<ScimUser[]> {
      return ids.length === 0 ? [] : all().where("id", "in", ids).orderBy("username").execute();
    },

    /** Also finds a user that the provider has deleted. */
    findByUserName: (user_name: string): Promise<ScimUser | undefined> =>
      all().where(sql`lower(user_name)`, "=", user_name.toLowerCase()).executeTakeFirst(),

    /** Whether an account is managed, by any provider and under any name. */
    async isManaged(username: string): Promise<boolean> {
      const managed = db.selectFrom("scim_users").select("id").where("username", "=", username);
      return (await managed.executeTakeFirst()) !== undefined;
    },

    async count(): Promise<number> {
      const { total } = await db
        .selectFrom("scim_users")
        .select((users) => users.fn.countAll<string>().as("total"))
        .where("provider", "=", provider)
        .executeTakeFirstOrThrow();
      return Number(total);
    },
  };
}

export function createScimUsersWriter(tx: Db, provider: string) {
  return {
    /** Serialises the changes of one provider, because each recomputes rights from all groups. */
    async lock(): Promise<void> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`scim of ${provider}`}, 0))`.execute(tx);
    },

    async insert(user: ScimUser): Promise<void> {
      await tx.insertInto("scim_users").values(user).execute();
    },

    async update(id: string, changed: Partial<ScimUser>): Promise<void> {
      await tx.updateTable("scim_users").set(changed).where("provider", "=", provider).where("id", "=", id).execute();
    },

    /** Removes the user from every group. */
    async leaveGroups(id: string): Promise<void> {
      await tx.deleteFrom("scim_members").where("user_id", "=", id).execute();
    },
  };
}
