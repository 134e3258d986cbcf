import { createHash } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SessionBody } from "./auth.schema.ts";
import { nameOf, type Session } from "./session.ts";
import type { SessionsStore } from "./sessions.store.ts";

export interface SessionsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SessionsStore; showcase: SessionsStore };
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
}
export type SessionsService = ReturnType<typeof createSessionsService>;

export function createSessionsService({ runtime, stores, clock, ids }: SessionsServiceDeps) {
  return {
    /** Returns the session id, which only the browser keeps. */
    async open({ username, token_version }: Pick<Session, "username" | "token_version">): Promise<string> {
      const id = ids.secret(32).toString("base64url");
      const now = clock.now();
      const session = { id_hash: hashOf(id), username, token_version, created_at: now, last_used_at: now };
      await (await runtime.choose(stores)).insert(session);
      return id;
    },

    /** The caller's sessions; `currentId` is the one of this request, if it has one. */
    async list({ username, token_version }: Caller, currentId: string | undefined): Promise<SessionBody[]> {
      const current = currentId === undefined ? undefined : hashOf(currentId);
      const sessions = await (await runtime.choose(stores)).list(username, clock.now());
      return sessions
        .filter((session) => session.token_version === token_version)
        .map((session) => ({
          id: nameOf(session),
          created_at: session.created_at.toISOString(),
          last_used_at: session.last_used_at.toISOString(),
          is_current: session.id_hash === current,
        }));
    },

    /** Throws when the caller has no such session. */
    async end({ username }: Caller, id: string): Promise<void> {
      const store = await runtime.choose(stores);
      const session = (await store.list(username, clock.now())).find((each) => nameOf(each) === id);
      if (!session) throw notFound("session", id);
      await store.delete(session.id_hash);
    },

    async use(id: string): Promise<Session | undefined> {
      return (await runtime.choose(stores)).use(hashOf(id), clock.now());
    },
  };
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
