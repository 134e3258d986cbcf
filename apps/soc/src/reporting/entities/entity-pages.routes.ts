import { EntitiesBody, GraphBody, GraphQuery, ListEntitiesQuery } from "../../alerts/entities/entities.schema.ts";
import type { EntitiesService } from "../../alerts/module.ts";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { EntityPageBody, EntityParams } from "./entity-pages.schema.ts";
import type { EntityPagesService } from "./entity-pages.service.ts";

const reading = { needs: ["alerts:read"], byKey: true, bySite: "records" } as const;

export function entityPagesRoutes(
  entities: Pick<EntitiesService, "list" | "graph">,
  pages: EntityPagesService,
): Routes {
  return async (app) => {
    app.get(
      "/entities",
      operation("listEntities", "List entities by risk", reading, {
        querystring: ListEntitiesQuery,
        response: { 200: EntitiesBody },
      }),
      async (request) => entities.list(toScope(callerOf(request)), request.query),
    );
    app.get(
      "/entities/graph",
      operation("getEntityGraph", "Get the graph around an entity", reading, {
        querystring: GraphQuery,
        response: { 200: GraphBody },
      }),
      async (request) => entities.graph(toScope(callerOf(request)), request.query),
    );
    app.get(
      "/entities/:type/:value",
      operation("getEntity", "Get an entity", reading, { params: EntityParams, response: { 200: EntityPageBody } }),
      async (request) => pages.read(callerOf(request), request.params.type, request.params.value),
    );
  };
}
