import { hasEnded, MAX_SESSIONS, type Session } from "../sessions/session.ts";
import type { SessionsStore } from "./sessions.store.ts";

/** More than tokens can outlive: a token is valid for 30 minutes. */
const MAX_ENDED = 10_000;

/** The sessions of the showcase: in memory, lost when the process ends. */
export function createShowcaseSessionsStore(): SessionsStore {
  const sessions = new Map<string, Session>();
  const ended = new Set<string>();

  function end(id_hash: string): void {
    sessions.delete(id_hash);
    ended.add(id_hash);
    const [oldest] = ended;
    if (ended.size > MAX_ENDED && oldest !== undefined) ended.delete(oldest);
  }

  return {
    async insert(session) {
      for (const [id_hash, other] of sessions) if (hasEnded(other, session.created_at)) end(id_hash);
      sessions.set(session.id_hash, session);
      // The showcase has one user.
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) end(oldest);
    },
    async list(username, now) {
      return [...sessions.values()].filter((session) => session.username === username && !hasEnded(session, now));
    },
    async findAll(hashes, now) {
      return [...sessions.values()].filter((session) => hashes.includes(session.id_hash) && !hasEnded(session, now));
    },
    /** A session of the database is unknown here and counts as open: only demo data is served until the database returns. */
    async findEnded(hashes, now) {
      return hashes.filter((id_hash) => {
        const session = sessions.get(id_hash);
        return session === undefined ? ended.has(id_hash) : hasEnded(session, now);
      });
    },
    async deleteOthers(username, kept) {
      const others = [...sessions.values()].filter((each) => each.username === username && each.id_hash !== kept);
      for (const { id_hash } of others) end(id_hash);
      return others.length;
    },
    /** The showcase contacts no provider. */
    deleteOfProvider: async () => 0,
    /** No user of the showcase has a factor. */
    markFactor: async () => undefined,
    async nameDevice(id_hash, device_name) {
      const session = sessions.get(id_hash);
      if (session) session.device_name = device_name;
    },
    async delete(id_hash) {
      end(id_hash);
    },
    async use(id_hash, now) {
      const session = sessions.get(id_hash);
      if (!session || hasEnded(session, now)) return undefined;
      session.last_used_at = now;
      return session;
    },
  };
}
