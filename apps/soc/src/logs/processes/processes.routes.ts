import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { abortOnDisconnect } from "../query/abandonment.ts";
import { ProcessTreeBody, ProcessTreeQuery } from "./processes.schema.ts";
import type { ProcessesService } from "./processes.service.ts";

export function processesRoutes(processes: ProcessesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/process-tree",
      {
        config: { needs: ["siem:read"], byKey: true, logLane: "people" },
        schema: { querystring: ProcessTreeQuery, response: { 200: ProcessTreeBody } },
      },
      async ({ query }, reply) => processes.tree(query, abortOnDisconnect(reply)),
    );
  };
}
