import type { EntitiesService } from "../../alerts/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import { entityPagesRoutes } from "./entity-pages.routes.ts";
import { createEntityPagesService, type EntityPagesServiceDeps } from "./entity-pages.service.ts";

export interface EntitiesNeeds extends Omit<EntityPagesServiceDeps, "clock"> {
  entities: EntitiesService;
}

/** Serves hosts, users, addresses, domains and hashes for pages. */
export function createEntities({ clock }: Base, needs: EntitiesNeeds) {
  const pages = createEntityPagesService({ ...needs, clock });
  return {
    services: {},
    registrations: { routes: [entityPagesRoutes(needs.entities, pages)] } satisfies Registrations,
  };
}
