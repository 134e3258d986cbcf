import { createEntitiesService } from "../../casework/entities/entities.service.ts";
import { createShowcaseEntities } from "../../casework/entities/entities.showcase.ts";
import { createEntitiesStore } from "../../casework/entities/entities.store.ts";
import type { Base } from "../../foundation/base.ts";
import { entityPagesRoutes } from "./entity-pages.routes.ts";
import { createEntityPagesService, type EntityPagesServiceDeps } from "./entity-pages.service.ts";

export type EntitiesNeeds = Omit<EntityPagesServiceDeps, "entities" | "clock">;

export function createEntities(base: Base, needs: EntitiesNeeds) {
  const { runtime, clock } = base;
  const entities = createEntitiesService({
    runtime,
    stores: base.sources(createEntitiesStore, (showcase) => createShowcaseEntities(showcase.alerts)),
    clock,
  });
  const pages = createEntityPagesService({ ...needs, entities, clock });
  return { routes: [entityPagesRoutes(entities, pages)] };
}
