import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { EntitiesBody, GraphBody, GraphQuery, ListEntitiesQuery } from "../../alerts/entities/entities.schema.ts";
import type { EntitiesService } from "../../alerts/module.ts";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { EntityPageBody, EntityParams } from "./entity-pages.schema.ts";
import type { EntityPagesService } from "./entity-pages.service.ts";

const reading = { needs: ["alerts:read"], byKey: true, bySite: "records" } as const;

export function entityPagesRoutes(
  entities: Pick<EntitiesService, "list" | "graph">,
  pages: EntityPagesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/entities",
      {
        config: reading,
        schema: {
          operationId: "listEntities",
          summary: "List entities by risk",
          querystring: ListEntitiesQuery,
          response: { 200: EntitiesBody },
        },
      },
      async (request) => entities.list(toScope(callerOf(request)), request.query),
    );
    app.get(
      "/entities/graph",
      {
        config: reading,
        schema: {
          operationId: "getEntityGraph",
          summary: "Get the graph around an entity",
          querystring: GraphQuery,
          response: { 200: GraphBody },
        },
      },
      async (request) => entities.graph(toScope(callerOf(request)), request.query),
    );
    app.get(
      "/entities/:type/:value",
      {
        config: reading,
        schema: {
          operationId: "getEntity",
          summary: "Get an entity",
          params: EntityParams,
          response: { 200: EntityPageBody },
        },
      },
      async (request) => pages.read(callerOf(request), request.params.type, request.params.value),
    );
  };
}
