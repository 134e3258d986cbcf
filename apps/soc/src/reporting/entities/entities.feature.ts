import type { EntitiesService } from "../../alerts/module.ts";
import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import { entityPagesRoutes } from "./entity-pages.routes.ts";
import { createEntityPagesService, type EntityPagesServiceDeps } from "./entity-pages.service.ts";

export interface EntitiesNeeds extends Omit<EntityPagesServiceDeps, "clock"> {
  entities: EntitiesService;
}

/** Hosts, users, addresses, domains and hashes as pages show them. */
export function createEntities({ clock }: Base, needs: EntitiesNeeds) {
  const pages = createEntityPagesService({ ...needs, clock });
  return {
    services: {},
    registrations: { routes: [entityPagesRoutes(needs.entities, pages)] } satisfies Registrations,
  };
}
