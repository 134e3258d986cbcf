import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { abortOnDisconnect } from "../query/abandonment.ts";
import type { BeginNamed } from "../searches/named-search.ts";
import { SearchIdQuery } from "../searches/searches.schema.ts";
import {
  AggregateBody,
  AggregateRequest,
  HistogramBody,
  HistogramQuery,
  LogFacetsBody,
  LogFacetsQuery,
} from "./log-summaries.schema.ts";
import type { LogSummariesService } from "./log-summaries.service.ts";

const searching = { needs: ["siem:read"], byKey: true, bySite: "records", logLane: "people" } as const;

export function logSummariesRoutes(summaries: LogSummariesService, begin: BeginNamed): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/logs/histogram",
      {
        config: searching,
        preValidation: begin,
        schema: {
          operationId: "getLogHistogram",
          summary: "Get a histogram of logs",
          querystring: HistogramQuery,
          response: { 200: HistogramBody },
        },
      },
      async (request, reply) =>
        summaries.histogram(toScope(callerOf(request)), request.query, abortOnDisconnect(reply)),
    );

    app.get(
      "/siem/logs/facets",
      {
        config: searching,
        preValidation: [splitSeveral(["fields"]), begin],
        schema: {
          operationId: "getLogFacets",
          summary: "Get the most frequent values of log fields",
          querystring: LogFacetsQuery,
          response: { 200: LogFacetsBody },
        },
      },
      async (request, reply) => summaries.facets(toScope(callerOf(request)), request.query, abortOnDisconnect(reply)),
    );

    app.post(
      "/siem/aggregate",
      {
        config: { ...searching, effect: "none" },
        preValidation: begin,
        schema: {
          operationId: "aggregateLogs",
          summary: "Aggregate logs",
          querystring: SearchIdQuery,
          body: AggregateRequest,
          response: { 200: AggregateBody },
        },
      },
      async (request, reply) => summaries.aggregate(toScope(callerOf(request)), request.body, abortOnDisconnect(reply)),
    );
  };
}
