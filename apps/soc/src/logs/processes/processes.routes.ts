import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../query/abort-on-disconnect.ts";
import type { BeginNamed } from "../searches/named-search.ts";
import { ProcessTreeBody, ProcessTreeQuery } from "./processes.schema.ts";
import type { ProcessesService } from "./processes.service.ts";

export function processesRoutes(processes: ProcessesService, begin: BeginNamed): Routes {
  return async (app) => {
    app.get(
      "/siem/process-tree",
      {
        ...operation(
          "getProcessTree",
          "Get the process tree of a host",
          { needs: ["siem:read"], byKey: true, bySite: "records", logLane: "people" },
          {
            description: "`at` means 12 hours around it; the default is the last 24 hours.",
            querystring: ProcessTreeQuery,
            response: { 200: ProcessTreeBody },
          },
        ),
        preValidation: begin,
      },
      async (request, reply) => processes.tree(callerOf(request), request.query, abortOnDisconnect(reply)),
    );
  };
}
