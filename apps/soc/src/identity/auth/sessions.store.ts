import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { computeSessionLimits, MAX_SESSIONS, type Session } from "../sessions/session.ts";

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
  /** The active sessions of a user, newest first. */
  list(username: string, now: Date): Promise<Session[]>;
  /** The sessions that are still active. */
  findAll(hashes: readonly string[], now: Date): Promise<Session[]>;
  /** The hashes of sessions that have ended or do not exist. */
  findEnded(hashes: readonly string[], now: Date): Promise<string[]>;
  markFactor(id_hash: string, factor_at: Date): Promise<void>;
  nameDevice(id_hash: string, device_name: string | null): Promise<void>;
  delete(id_hash: string): Promise<void>;
  /** Deletes the sessions of a user except one. Returns their number. */
  deleteOthers(username: string, kept: string | undefined): Promise<number>;
  /** Deletes the sessions that a provider began. Returns their number. */
  deleteOfProvider(provider: string, provider_sid: string): Promise<number>;
}

export function createSessionsStore(db: Db): SessionsStore {
  function live(now: Date) {
    const { notUsedSince, madeBefore } = computeSessionLimits(now);
    return db
      .selectFrom("sessions")
      .selectAll()
      .where("last_used_at", ">", notUsedSince)
      .where("created_at", ">", madeBefore);
  }

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
      const newest = db
        .selectFrom("sessions")
        .select("id_hash")
        .where("username", "=", session.username)
        .orderBy("created_at", "desc")
        .limit(MAX_SESSIONS);
      await db
        .deleteFrom("sessions")
        .where("username", "=", session.username)
        .where("id_hash", "not in", newest)
        .where("id_hash", "<>", session.id_hash)
        .execute();
    },

    list: (username, now) =>
      live(now).where("username", "=", username).orderBy("created_at", "desc").limit(MAX_SESSIONS).execute(),

    findAll: (hashes, now) => live(now).where("id_hash", "in", hashes).execute(),

    async findEnded(hashes, now) {
      const { notUsedSince, madeBefore } = computeSessionLimits(now);
      // One parameter, whatever the number of hashes, and a result without active sessions, which are the majority.
      const { rows } = await sql<{ id_hash: string }>`
        SELECT given.id_hash FROM unnest(${[...hashes]}::text[]) AS given (id_hash)
        LEFT JOIN sessions ON sessions.id_hash = given.id_hash
          AND last_used_at > ${notUsedSince} AND created_at > ${madeBefore}
        WHERE sessions.id_hash IS NULL`.execute(db);
      return rows.map(({ id_hash }) => id_hash);
    },

    async deleteOthers(username, kept) {
      const { numDeletedRows } = await db
        .deleteFrom("sessions")
        .where("username", "=", username)
        .$if(kept !== undefined, (others) => others.where("id_hash", "<>", kept ?? ""))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async deleteOfProvider(provider, provider_sid) {
      const { numDeletedRows } = await db
        .deleteFrom("sessions")
        .where("provider", "=", provider)
        .where("provider_sid", "=", provider_sid)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async markFactor(id_hash, factor_at) {
      await db.updateTable("sessions").set({ factor_at }).where("id_hash", "=", id_hash).execute();
    },

    async nameDevice(id_hash, device_name) {
      await db.updateTable("sessions").set({ device_name }).where("id_hash", "=", id_hash).execute();
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
