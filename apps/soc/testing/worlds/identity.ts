import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createFixedWindows } from "@kit/http/limits";
import { silentLog } from "@kit/log/silent";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import type { Change } from "../../src/foundation/audit/audit.ts";
import type { Role } from "../../src/foundation/caller/permissions.ts";
import { createChangesService } from "../../src/foundation/runtime/changes.service.ts";
import { requireMode } from "../../src/foundation/runtime/require-mode.ts";
import { runtimeRoutes } from "../../src/foundation/runtime/runtime.routes.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createRuntimeService } from "../../src/foundation/runtime/runtime.service.ts";
import { apiKeysRoutes } from "../../src/identity/api-keys/api-keys.routes.ts";
import { createApiKeysService } from "../../src/identity/api-keys/api-keys.service.ts";
import { createShowcaseApiKeysStore } from "../../src/identity/api-keys/api-keys.showcase.ts";
import { createApiKeysStore } from "../../src/identity/api-keys/api-keys.store.ts";
import { authRoutes } from "../../src/identity/auth/auth.routes.ts";
import { createAuthService } from "../../src/identity/auth/auth.service.ts";
import { createCallersService } from "../../src/identity/auth/callers.service.ts";
import { countersBySource } from "../../src/identity/auth/counters.ts";
import { createRequestCountsStore } from "../../src/identity/auth/request-counts.store.ts";
import { requireCaller } from "../../src/identity/auth/require-caller.ts";
import { createSessionsService } from "../../src/identity/auth/sessions.service.ts";
import { createShowcaseSessionsStore } from "../../src/identity/auth/sessions.showcase.ts";
import { createSessionsStore } from "../../src/identity/auth/sessions.store.ts";
import { createSigningKeysService } from "../../src/identity/auth/signing-keys.service.ts";
import { createShowcaseSigningKeysStore } from "../../src/identity/auth/signing-keys.showcase.ts";
import { createSigningKeysStore } from "../../src/identity/auth/signing-keys.store.ts";
import { createTokens } from "../../src/identity/auth/tokens.ts";
import { usersRoutes } from "../../src/identity/users/users.routes.ts";
import { createUsersService } from "../../src/identity/users/users.service.ts";
import { createShowcaseUsersStore } from "../../src/identity/users/users.showcase.ts";
import { createUsersStore } from "../../src/identity/users/users.store.ts";
import { createTestFrame } from "./test-frame.ts";

export const PASSWORD = "correct horse battery";

export interface IdentityOptions {
  url: string;
  mode?: Mode;
  clock?: Clock;
  generalLimitPerMinute?: number;
  intakeLimitPerMinute?: number;
}

/** One process with sign-in, users and API keys on a real database. Password hashes are fake, checks are recorded. */
export async function startIdentity({ url, mode = "real", clock = createClock(), ...options }: IdentityOptions) {
  const ids = createIds(clock);
  const database = createDatabase({
    url,
    migrationsFolder: join(import.meta.dirname, "../../src/migrations"),
    clock: createClock(),
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  const { db } = database;
  const checked: string[] = [];
  const passwords = {
    hash: async (password: string) => `hash of ${password}`,
    async isRight(password_hash: string, password: string) {
      checked.push(password);
      return password_hash === `hash of ${password}`;
    },
  };
  const runtime = createRuntimeService({ mode, database });
  const audit = createAuditStore(ids);
  const changes = createChangesService({ runtime, db });
  const usersStore = createUsersStore(db);
  const users = createUsersService({
    runtime,
    stores: { database: usersStore, showcase: createShowcaseUsersStore(clock) },
    audit,
    passwords,
  });
  const apiKeys = createApiKeysService({
    runtime,
    stores: { database: createApiKeysStore(db), showcase: createShowcaseApiKeysStore() },
    audit,
    ids,
  });
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
  const counters = countersBySource(createRequestCountsStore(db), createFixedWindows({ clock }));
  const general = { name: "general", limit: options.generalLimitPerMinute ?? 100_000, windowMs: 60_000 };
  const intake = { name: "intake", limit: options.intakeLimitPerMinute ?? 100_000, windowMs: 60_000 };

  const playbooks = { name: "playbooks", limit: 100_000, windowMs: 60_000 };

  const app = createTestFrame();
  const callers = createCallersService({ tokens, sessions, apiKeys, users });
  requireCaller(app, { callers, counters, general, intake, playbooks });
  requireMode(app, () => runtime.truth());
  await app.register(
    async (api) => {
      const journal = { record: (change: Change) => audit.record(db, change) };
      const auth = createAuthService({ runtime, users, tokens, sessions, counters, journal });
      await api.register(authRoutes(auth, signingKeys));
      await api.register(usersRoutes(users, changes));
      await api.register(apiKeysRoutes(apiKeys, changes));
      await api.register(runtimeRoutes(runtime));
    },
    { prefix: "/api/v1" },
  );
  // When several processes start at once, one runs the migrations; the others wait.
  while (!(await database.isAvailable())) await createClock().sleep(100);

  const signIn = (username: string, password = PASSWORD, headers = {}) =>
    app.inject({ method: "POST", url: "/api/v1/auth/token", payload: { username, password }, headers });
  return {
    app,
    db,
    /** The passwords that were compared with a hash. */
    checked,
    signIn,
    addUser: (username: string, role: Role = "admin") =>
      usersStore.insert({ username, role, email: null, disabled: false, password_hash: `hash of ${PASSWORD}` }),
    async bearer(username: string) {
      const { access_token } = (await signIn(username)).json();
      return { authorization: `Bearer ${access_token}` };
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}

export type Identity = Awaited<ReturnType<typeof startIdentity>>;
