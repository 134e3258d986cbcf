import type { FixedWindows } from "@kit/http/limits";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { FindSites } from "../../foundation/caller/caller.ts";
import type { UsersService } from "../users/users.service.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { createApiKeysService } from "./api-keys.service.ts";
import { createApiKeysStore, createShowcaseApiKeysStore } from "./api-keys.store.ts";
import { createIntakeKeys } from "./intake-keys.ts";

export interface ApiKeysNeeds {
  users: UsersService;
  findSites: FindSites;
  /** Counts unknown keys by address. */
  windows: FixedWindows;
}

export function createApiKeys({ db, runtime, changes, audit, clock, ids }: Base, needs: ApiKeysNeeds) {
  const { users, findSites, windows } = needs;
  const apiKeys = createApiKeysService({
    runtime,
    stores: { database: createApiKeysStore(db), showcase: createShowcaseApiKeysStore() },
    users,
    intakeKeys: createIntakeKeys({ windows, clock }),
    findSites,
    audit,
    clock,
    ids,
  });
  return {
    services: { apiKeys },
    registrations: { routes: [apiKeysRoutes(apiKeys, changes)] } satisfies Registrations,
  };
}
