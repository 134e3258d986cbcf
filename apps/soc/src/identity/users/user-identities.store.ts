import type { Db } from "../../foundation/database/tables.ts";

export interface UserIdentity {
  provider: string;
  /** The provider's id of the user. */
  subject: string;
  username: string;
  created_at: Date;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    user_identities: UserIdentity;
  }
}

export interface UserIdentitiesStore {
  find(provider: string, subject: string): Promise<UserIdentity | undefined>;
  /** Whether the user already signs in through the provider, under any subject. */
  hasAny(provider: string, username: string): Promise<boolean>;
  insert(identity: UserIdentity): Promise<void>;
}

export function createUserIdentitiesStore(db: Db): UserIdentitiesStore {
  const identities = (provider: string) =>
    db.selectFrom("user_identities").selectAll().where("provider", "=", provider);
  return {
    find: (provider, subject) => identities(provider).where("subject", "=", subject).executeTakeFirst(),

    async hasAny(provider, username) {
      return (await identities(provider).where("username", "=", username).executeTakeFirst()) !== undefined;
    },

    async insert(identity) {
      await db.insertInto("user_identities").values(identity).execute();
    },
  };
}
