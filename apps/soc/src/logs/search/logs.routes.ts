import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { queryCompletion } from "@kit/query/query-completion";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { abortOnDisconnect } from "../query/abandonment.ts";
import type { BeginNamed } from "../searches/named-search.ts";
import { toLogBody } from "./log-body.ts";
import {
  AroundQuery,
  ExportLogsQuery,
  GetLogsBody,
  GetLogsRequest,
  LogBody,
  LogParams,
  LogStatsBody,
  LogsAroundBody,
  LogsPageBody,
  QueryCompletionBody,
  SearchLogsQuery,
} from "./logs.schema.ts";
import type { LogsService } from "./logs.service.ts";

const reading = { needs: ["siem:read"], byKey: true, bySite: "records" } as const;
const searching = { ...reading, logLane: "people" } as const;
/** The storage of all sites. */
const counting = { needs: ["siem:read"], byKey: true, logLane: "people" } as const;
const TYPES = { ndjson: "application/x-ndjson", csv: "text/csv; charset=utf-8; header=present" } as const;

export function logsRoutes(logs: LogsService, begin: BeginNamed): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/logs",
      {
        config: searching,
        preValidation: begin,
        schema: {
          operationId: "searchLogs",
          summary: "Search logs",
          querystring: SearchLogsQuery,
          response: { 200: LogsPageBody },
        },
      },
      async (request, reply) => {
        const scope = toScope(callerOf(request));
        const { items, ...page } = await logs.list(scope, request.query, abortOnDisconnect(reply));
        return { items: items.map(toLogBody), ...page };
      },
    );

    app.get(
      "/siem/logs/export",
      {
        config: { ...searching, exports: "log.exported" },
        schema: { operationId: "exportLogs", summary: "Export logs", querystring: ExportLogsQuery },
      },
      async (request, reply) => {
        const scope = toScope(callerOf(request));
        const { format, limit, isComplete, lines, signal } = await logs.export(scope, request.query);
        return reply
          .type(TYPES[format])
          .header("content-disposition", `attachment; filename="logs.${format}"`)
          .header("x-limit", limit)
          .header("x-is-complete", String(isComplete))
          .send(Readable.from(lines, { signal }));
      },
    );

    app.get(
      "/siem/logs/:log_id",
      {
        config: reading,
        schema: { operationId: "getLog", summary: "Get a log", params: LogParams, response: { 200: LogBody } },
      },
      async (request) => toLogBody(await logs.get(toScope(callerOf(request)), request.params.log_id)),
    );

    app.get(
      "/siem/logs/:log_id/around",
      {
        config: searching,
        preValidation: [splitSeveral(["same"]), begin],
        schema: {
          operationId: "getLogNeighbours",
          summary: "Get the logs around a log",
          params: LogParams,
          querystring: AroundQuery,
          response: { 200: LogsAroundBody },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        const scope = toScope(callerOf(request));
        const found = await logs.around(scope, params.log_id, query, abortOnDisconnect(reply));
        const { log, before, after, ...partial } = found;
        return { log: toLogBody(log), before: before.map(toLogBody), after: after.map(toLogBody), ...partial };
      },
    );

    app.post(
      "/siem/logs/get",
      {
        config: { ...searching, effect: "none" },
        schema: {
          operationId: "getLogs",
          summary: "Get logs by their ids",
          body: GetLogsRequest,
          response: { 200: GetLogsBody },
        },
      },
      async (request, reply) => {
        const scope = toScope(callerOf(request));
        const { logs: found, missing } = await logs.getMany(scope, request.body.ids, abortOnDisconnect(reply));
        return { items: found.map(toLogBody), missing };
      },
    );

    app.get(
      "/siem/query/completion",
      {
        config: reading,
        schema: {
          operationId: "getQueryCompletion",
          summary: "Get completions for the query language",
          response: { 200: QueryCompletionBody },
        },
      },
      async () => queryCompletion(),
    );

    app.get(
      "/siem/stats",
      {
        config: counting,
        schema: { operationId: "getSiemStats", summary: "Get SIEM statistics", response: { 200: LogStatsBody } },
      },
      async () => logs.stats(),
    );
  };
}
