import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { CellsBody, CellsQuery } from "./cells.schema.ts";
import type { CellsService } from "./cells.service.ts";

export function cellsRoutes(cells: Pick<CellsService, "read">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/cells",
      {
        config: { needs: ["sites:read"], byKey: true },
        schema: { querystring: CellsQuery, response: { 200: CellsBody } },
      },
      async ({ query }) => cells.read(query),
    );
  };
}
