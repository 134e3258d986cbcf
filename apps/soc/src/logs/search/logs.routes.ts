import { Readable } from "node:stream";
import { queryCompletion } from "@kit/query/query-completion";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../query/abort-on-disconnect.ts";
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
/** Counts the storage of all sites. */
const counting = { needs: ["siem:read"], byKey: true, logLane: "people" } as const;
const TYPES = { ndjson: "application/x-ndjson", csv: "text/csv; charset=utf-8; header=present" } as const;

export function logsRoutes(logs: LogsService, begin: BeginNamed): Routes {
  return async (app) => {
    app.get(
      "/siem/logs",
      {
        ...operation("searchLogs", "Search logs", searching, {
          querystring: SearchLogsQuery,
          response: { 200: LogsPageBody },
        }),
        preValidation: begin,
      },
      async (request, reply) => {
        const scope = toScope(callerOf(request));
        const { items, ...page } = await logs.list(scope, request.query, abortOnDisconnect(reply));
        return { items: items.map(toLogBody), ...page };
      },
    );

    app.get(
      "/siem/logs/export",
      operation(
        "exportLogs",
        "Export logs",
        { ...searching, exports: "log.exported" },
        {
          description:
            "A stream of the newest logs up to `limit`. `X-Limit` has the limit, `X-Is-Complete` whether all logs were sent.",
          querystring: ExportLogsQuery,
        },
      ),
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
      operation("getLog", "Get a log", reading, { params: LogParams, response: { 200: LogBody } }),
      async (request) => toLogBody(await logs.get(toScope(callerOf(request)), request.params.log_id)),
    );

    app.get(
      "/siem/logs/:log_id/around",
      {
        ...operation("getLogNeighbours", "Get the logs around a log", searching, {
          description:
            "Neighbours of the same day in the order of time. `same` keeps those with equal values of these fields.",
          params: LogParams,
          querystring: AroundQuery,
          response: { 200: LogsAroundBody },
        }),
        preValidation: [parseMultiValueParams(["same"]), begin],
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
      operation(
        "getLogs",
        "Get logs by their ids",
        { ...searching, effect: "none" },
        { body: GetLogsRequest, response: { 200: GetLogsBody } },
      ),
      async (request, reply) => {
        const scope = toScope(callerOf(request));
        const { logs: found, missing } = await logs.getMany(scope, request.body.ids, abortOnDisconnect(reply));
        return { items: found.map(toLogBody), missing };
      },
    );

    app.get(
      "/siem/query/completion",
      operation("getQueryCompletion", "Get completions for the query language", reading, {
        response: { 200: QueryCompletionBody },
      }),
      async () => queryCompletion(),
    );

    app.get(
      "/siem/stats",
      operation("getSiemStats", "Get SIEM statistics", counting, { response: { 200: LogStatsBody } }),
      async () => logs.stats(),
    );
  };
}
