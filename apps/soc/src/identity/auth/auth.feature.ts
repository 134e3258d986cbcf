import type { FixedWindows } from "@kit/http/limits";
import type { Base } from "../../foundation/base.ts";
import type { ApiKeysService } from "../api-keys/api-keys.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { authRoutes } from "./auth.routes.ts";
import { createAuthService } from "./auth.service.ts";
import { createCallersService } from "./callers.service.ts";
import { countersBySource } from "./counters.ts";
import { createRequestCountsStore } from "./request-counts.store.ts";
import { createSessionsService } from "./sessions.service.ts";
import { createShowcaseSessionsStore } from "./sessions.showcase.ts";
import { createSessionsStore } from "./sessions.store.ts";
import { createSigningKeysService } from "./signing-keys.service.ts";
import { createShowcaseSigningKeysStore } from "./signing-keys.showcase.ts";
import { createSigningKeysStore } from "./signing-keys.store.ts";
import { createTokens } from "./tokens.ts";

export interface AuthNeeds {
  users: UsersService;
  apiKeys: ApiKeysService;
  /** Counts requests in memory while the database is unavailable. */
  windows: FixedWindows;
}

export function createAuth(base: Base, { users, apiKeys, windows }: AuthNeeds) {
  const { db, runtime, audit, clock, ids } = base;
  const signingKeys = createSigningKeysService({
    runtime,
    stores: { database: createSigningKeysStore(db), showcase: createShowcaseSigningKeysStore() },
    clock,
    ids,
  });
  const sessions = createSessionsService({
    runtime,
    stores: { database: createSessionsStore(db), showcase: createShowcaseSessionsStore() },
    clock,
    ids,
  });
  const tokens = createTokens({ clock, ids, keys: signingKeys });
  const counters = countersBySource(createRequestCountsStore(db), windows);
  const auth = createAuthService({
    runtime,
    users,
    tokens,
    sessions,
    counters,
    journal: { record: (change) => audit.record(db, change) },
  });
  return {
    callers: createCallersService({ tokens, sessions, apiKeys, users }),
    counters,
    auth,
    sessions,
    routes: [authRoutes(auth, signingKeys)],
  };
}
