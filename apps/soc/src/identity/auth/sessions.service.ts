import { createHash } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Session } from "./session.ts";
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

    async use(id: string): Promise<Session | undefined> {
      return (await runtime.choose(stores)).use(hashOf(id), clock.now());
    },
  };
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
