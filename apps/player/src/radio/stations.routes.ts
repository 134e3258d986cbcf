import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  AddStationRequest,
  AddStationResult,
  RemoveStationResult,
  StationParams,
  StationsBody,
} from "./stations.schema.ts";
import type { StationsService } from "./stations.service.ts";

const mutation = { access: "token", budget: "mutation" } as const;

export function stationsRoutes(stations: StationsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/radio/stations",
      {
        config: { access: "none", budget: "read" },
        schema: { operationId: "listStations", summary: "List radio stations", response: { 200: StationsBody } },
      },
      async () => ({ stations: stations.list() }),
    );
    app.post(
      "/radio/stations",
      {
        config: mutation,
        schema: {
          operationId: "createStation",
          summary: "Create a radio station",
          body: AddStationRequest,
          response: { 200: AddStationResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await stations.add(body)) }),
    );
    app.delete(
      "/radio/stations/:id",
      {
        config: mutation,
        schema: {
          operationId: "deleteStation",
          summary: "Delete a radio station",
          description: "404 if unknown.",
          params: StationParams,
          response: { 200: RemoveStationResult },
        },
      },
      async ({ params }) => {
        stations.remove(params.id);
        return { success: true };
      },
    );
  };
}
