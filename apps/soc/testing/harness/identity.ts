import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createFixedWindows } from "@kit/http/limits";
import { silentLog } from "@kit/log/silent";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { buildShowcase } from "../../src/demo/showcase.ts";
import { createBase } from "../../src/foundation/base.ts";
import type { FindSites } from "../../src/foundation/caller/caller.ts";
import type { Role } from "../../src/foundation/caller/permissions.ts";
import { createSeal, KEY_BYTES } from "../../src/foundation/records/seal.ts";
import { requireMode } from "../../src/foundation/runtime/require-mode.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createRuntime } from "../../src/foundation/runtime.feature.ts";
import { createShowcaseClock } from "../../src/foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../src/foundation/yaml/local-yaml.ts";
import { createApiKeys } from "../../src/identity/api-keys/api-keys.feature.ts";
import { createAuth } from "../../src/identity/auth/auth.feature.ts";
import { requireCaller } from "../../src/identity/auth/require-caller.ts";
import { createFactors, createOwnFactors } from "../../src/identity/factors/factors.feature.ts";
import { createMe } from "../../src/identity/me/me.feature.ts";
import { createPlaces } from "../../src/identity/sign-in-locations/sign-in-locations.feature.ts";
import { createSitesStore } from "../../src/identity/sites/sites.store.ts";
import { createUserSessions } from "../../src/identity/user-sessions/user-sessions.feature.ts";
import { createUsers } from "../../src/identity/users/users.feature.ts";
import { createUsersWriter } from "../../src/identity/users/users.store.ts";
import { createWebAuthn } from "../../src/identity/webauthn/webauthn.feature.ts";
import { NO_MANAGED_NAMES, PASSWORDS_ONLY } from "../fixtures/sign-in-methods.ts";
import { createTestFrame } from "./test-frame.ts";

export const PASSWORD = "correct horse battery";

export interface IdentityOptions {
  url: string;
  mode?: Mode;
  clock?: Clock;
  generalLimitPerMinute?: number;
  intakeLimitPerMinute?: number;
  secondFactorRoles?: readonly Role[];
  publicUrl?: string;
  isStepUpOn?: boolean;
  /** The byte that the encryption key of secrets consists of. */
  sealedWith?: number;
}

/**
 * One process with sign-in, users and API keys as the product assembles them, on a real database. Password hashes are
 * fake, checks are recorded.
 */
export async function startIdentity({ url, mode = "real", clock = createClock(), ...options }: IdentityOptions) {
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
  const showcase = createShowcaseClock(clock, buildShowcase);
  const base = createBase({ yaml: LOCAL_YAML, mode, database, showcase, clock, ids: createIds(clock), log: silentLog });
  const findSites: FindSites = (tx, texts) => createSitesStore(tx).findNames(texts);
  const users = createUsers(base, { firstAdmin: undefined, passwords, managedNames: NO_MANAGED_NAMES, findSites });
  const windows = createFixedWindows({ clock });
  const apiKeys = createApiKeys(base, { ...users.services, findSites, windows });
  const { secondFactorRoles = [], publicUrl, isStepUpOn = false } = options;
  const seal = createSeal(Buffer.alloc(KEY_BYTES, options.sealedWith ?? 7), base.ids);
  const factors = createFactors(base, { ...users.services, seal, secondFactorRoles });
  const given = {
    ...users.services,
    ...apiKeys.services,
    ...factors.services,
    ...createPlaces(base).services,
    ...createWebAuthn(base, publicUrl).services,
  };
  const auth = createAuth(base, { ...given, windows, methods: PASSWORDS_ONLY, secondFactorRoles, isStepUpOn });
  const own = createOwnFactors(base, { ...given, ...auth.services });
  const general = { name: "general", limit: options.generalLimitPerMinute ?? 100_000, windowMs: 60_000 };
  const intake = { name: "intake", limit: options.intakeLimitPerMinute ?? 100_000, windowMs: 60_000 };
  const playbooks = { name: "playbooks", limit: 100_000, windowMs: 60_000 };
  const chat = { ...playbooks, name: "chat" };
  const investigations = { ...playbooks, name: "investigations" };

  const app = createTestFrame();
  requireCaller(app, { ...auth.services, limitTo: database.limitTo, general, intake, playbooks, chat, investigations });
  requireMode(app, () => base.runtime.truth());
  const me = createMe(base, { ...auth.services, ...users.services });
  const routes = [
    ...auth.registrations.routes,
    ...me.registrations.routes,
    ...createUserSessions({ ...auth.services, ...users.services }).registrations.routes,
    ...own.registrations.routes,
    ...users.registrations.routes,
    ...apiKeys.registrations.routes,
    ...createRuntime(base).registrations.routes,
  ];
  for (const each of routes) await app.register(each, { prefix: "/api/v1" });
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
      createUsersWriter(db).insert({
        username,
        role,
        email: null,
        disabled: false,
        password_hash: `hash of ${PASSWORD}`,
      }),
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
