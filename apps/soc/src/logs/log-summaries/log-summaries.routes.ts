import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../query/abort-on-disconnect.ts";
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

export function logSummariesRoutes(summaries: LogSummariesService, begin: BeginNamed): Routes {
  return async (app) => {
    app.get(
      "/siem/logs/histogram",
      {
        ...operation("getLogHistogram", "Get a histogram of logs", searching, {
          querystring: HistogramQuery,
          response: { 200: HistogramBody },
        }),
        preValidation: begin,
      },
      async (request, reply) =>
        summaries.histogram(toScope(callerOf(request)), request.query, abortOnDisconnect(reply)),
    );

    app.get(
      "/siem/logs/facets",
      {
        ...operation("getLogFacets", "Get the most frequent values of log fields", searching, {
          querystring: LogFacetsQuery,
          response: { 200: LogFacetsBody },
        }),
        preValidation: [parseMultiValueParams(["fields"]), begin],
      },
      async (request, reply) => summaries.facets(toScope(callerOf(request)), request.query, abortOnDisconnect(reply)),
    );

    app.post(
      "/siem/aggregate",
      {
        ...operation(
          "aggregateLogs",
          "Aggregate logs",
          { ...searching, effect: "none" },
          {
            description: "Rows are sorted by the first metric, highest first.",
            querystring: SearchIdQuery,
            body: AggregateRequest,
            response: { 200: AggregateBody },
          },
        ),
        preValidation: begin,
      },
      async (request, reply) => summaries.aggregate(toScope(callerOf(request)), request.body, abortOnDisconnect(reply)),
    );
  };
}
