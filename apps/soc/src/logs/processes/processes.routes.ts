import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { abortOnDisconnect } from "../query/abandonment.ts";
import type { BeginNamed } from "../searches/named-search.ts";
import { ProcessTreeBody, ProcessTreeQuery } from "./processes.schema.ts";
import type { ProcessesService } from "./processes.service.ts";

export function processesRoutes(processes: ProcessesService, begin: BeginNamed): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/process-tree",
      {
        config: { needs: ["siem:read"], byKey: true, bySite: "records", logLane: "people" },
        preValidation: begin,
        schema: {
          operationId: "getProcessTree",
          summary: "Get the process tree of a host",
          querystring: ProcessTreeQuery,
          response: { 200: ProcessTreeBody },
        },
      },
      async (request, reply) => processes.tree(callerOf(request), request.query, abortOnDisconnect(reply)),
    );
  };
}
