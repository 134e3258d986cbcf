import type { Base } from "../../foundation/base.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { meRoutes } from "./me.routes.ts";
import { createPreferencesService } from "./preferences.service.ts";
import { createPreferencesStore } from "./preferences.store.ts";

export interface MeNeeds {
  auth: AuthService;
  sessions: SessionsService;
  users: UsersService;
}

export function createMe({ db, runtime, changes, clock }: Base, { auth, sessions, users }: MeNeeds) {
  const nothing = { find: async () => undefined };
  const stores = { database: createPreferencesStore(db), showcase: nothing };
  const preferences = createPreferencesService({ runtime, stores, clock });
  return { routes: [meRoutes({ auth, sessions, users, preferences, changes })] };
}
