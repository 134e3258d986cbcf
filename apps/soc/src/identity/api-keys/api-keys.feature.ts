import type { Base } from "../../foundation/base.ts";
import type { FindSites } from "../../foundation/caller/scope.ts";
import type { UsersService } from "../users/users.service.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { createApiKeysService } from "./api-keys.service.ts";
import { createShowcaseApiKeysStore } from "./api-keys.showcase.ts";
import { createApiKeysStore } from "./api-keys.store.ts";

export interface ApiKeysNeeds {
  users: UsersService;
  findSites: FindSites;
}

export function createApiKeys({ db, runtime, changes, audit, clock, ids }: Base, { users, findSites }: ApiKeysNeeds) {
  const apiKeys = createApiKeysService({
    runtime,
    stores: { database: createApiKeysStore(db), showcase: createShowcaseApiKeysStore() },
    users,
    findSites,
    audit,
    clock,
    ids,
  });
  return { apiKeys, routes: [apiKeysRoutes(apiKeys, changes)] };
}
