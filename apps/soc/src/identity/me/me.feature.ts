import type { Base, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { meRoutes } from "./me.routes.ts";
import { createPreferencesService } from "./preferences.service.ts";
import { createPreferencesStore } from "./preferences.store.ts";
import { viewsRoutes } from "./views.routes.ts";
import { createViewsService } from "./views.service.ts";
import { createShowcaseViewsStore, createViewsStore, createViewsWriter } from "./views.store.ts";

export interface MeNeeds {
  auth: AuthService;
  sessions: SessionsService;
  users: UsersService;
}

export function createMe(base: Base, { auth, sessions, users }: MeNeeds) {
  const { db, runtime, changes, clock } = base;
  const nothing = { find: async () => undefined };
  const stores = { database: createPreferencesStore(db), showcase: nothing };
  const preferences = createPreferencesService({ runtime, stores, clock });
  const views = createViewsService({
    ...base,
    stores: base.sources(createViewsStore, (showcase) => createShowcaseViewsStore(showcase.views)),
  });
  return {
    services: {},
    registrations: {
      routes: [meRoutes({ auth, sessions, users, preferences, changes }), viewsRoutes(views, changes)],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const writer = createViewsWriter(tx);
        for (const view of showcase.views) await writer.insert(view);
      },
    } satisfies Registrations,
  };
}
