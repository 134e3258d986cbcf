import type { Db } from "../../foundation/database/tables.ts";
import { computeSessionLimits, type Session } from "./session.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    sessions: Session;
  }
}

export interface SessionsStore {
  /** Stores the session and deletes ended sessions. */
  insert(session: Session): Promise<void>;
  /** Marks a session as used now and returns it, unless it has ended. */
  use(id_hash: string, now: Date): Promise<Session | undefined>;
  /** The sessions of a user that have not ended, the newest first. */
  list(username: string, now: Date): Promise<Session[]>;
  delete(id_hash: string): Promise<void>;
}

export function createSessionsStore(db: Db): SessionsStore {
  return {
    async insert(session) {
      const { notUsedSince, madeBefore } = computeSessionLimits(session.created_at);
      await db
        .deleteFrom("sessions")
        .where("username", "=", session.username)
        .where((has) =>
          has.or([
            has("last_used_at", "<=", notUsedSince),
            has("created_at", "<=", madeBefore),
            has("token_version", "<>", session.token_version),
          ]),
        )
        .execute();
      await db.insertInto("sessions").values(session).execute();
    },

    list(username, now) {
      const { notUsedSince, madeBefore } = computeSessionLimits(now);
      return db
        .selectFrom("sessions")
        .selectAll()
        .where("username", "=", username)
        .where("last_used_at", ">", notUsedSince)
        .where("created_at", ">", madeBefore)
        .orderBy("created_at", "desc")
        .execute();
    },

    async delete(id_hash) {
      await db.deleteFrom("sessions").where("id_hash", "=", id_hash).execute();
    },

    use(id_hash, now) {
      const { notUsedSince, madeBefore } = computeSessionLimits(now);
      return db
        .updateTable("sessions")
        .set({ last_used_at: now })
        .where("id_hash", "=", id_hash)
        .where("last_used_at", ">", notUsedSince)
        .where("created_at", ">", madeBefore)
        .returningAll()
        .executeTakeFirst();
    },
  };
}
