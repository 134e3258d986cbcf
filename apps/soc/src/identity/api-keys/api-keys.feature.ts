import type { Base } from "../../foundation/base.ts";
import { apiKeysRoutes } from "./api-keys.routes.ts";
import { createApiKeysService } from "./api-keys.service.ts";
import { createShowcaseApiKeysStore } from "./api-keys.showcase.ts";
import { createApiKeysStore } from "./api-keys.store.ts";

export function createApiKeys({ db, runtime, changes, audit, ids }: Base) {
  const apiKeys = createApiKeysService({
    runtime,
    stores: { database: createApiKeysStore(db), showcase: createShowcaseApiKeysStore() },
    audit,
    ids,
  });
  return { apiKeys, routes: [apiKeysRoutes(apiKeys, changes)] };
}
