import { hasEnded, type Session } from "./session.ts";
import type { SessionsStore } from "./sessions.store.ts";

/** The sessions of the showcase: in memory, lost when the process ends. */
export function createShowcaseSessionsStore(): SessionsStore {
  const sessions = new Map<string, Session>();
  return {
    async insert(session) {
      for (const [id_hash, other] of sessions) if (hasEnded(other, session.created_at)) sessions.delete(id_hash);
      sessions.set(session.id_hash, session);
    },
    async list(username, now) {
      return [...sessions.values()].filter((session) => session.username === username && !hasEnded(session, now));
    },
    async delete(id_hash) {
      sessions.delete(id_hash);
    },
    async use(id_hash, now) {
      const session = sessions.get(id_hash);
      if (!session || hasEnded(session, now)) return undefined;
      session.last_used_at = now;
      return session;
    },
  };
}
