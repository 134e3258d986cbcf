import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { abortOnDisconnect } from "../query/abandonment.ts";
import type { BeginNamed } from "../searches/named-search.ts";
import {
  FieldParams,
  FieldValuesBody,
  FieldValuesQuery,
  LogFieldsBody,
  LogFieldsQuery,
  ValidateBody,
  ValidateRequest,
} from "./log-fields.schema.ts";
import type { LogFieldsService } from "./log-fields.service.ts";

const reading = { needs: ["siem:read"], byKey: true, bySite: "records" } as const;
const searching = { ...reading, logLane: "people" } as const;

export function logFieldsRoutes(fields: LogFieldsService, begin: BeginNamed): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/fields",
      {
        config: searching,
        preValidation: begin,
        schema: {
          operationId: "listLogFields",
          summary: "List the fields of logs",
          querystring: LogFieldsQuery,
          response: { 200: LogFieldsBody },
        },
      },
      async (request, reply) => fields.list(toScope(callerOf(request)), request.query, abortOnDisconnect(reply)),
    );

    app.get(
      "/siem/fields/:name/values",
      {
        config: searching,
        preValidation: begin,
        schema: {
          operationId: "listLogFieldValues",
          summary: "List the values of a log field",
          params: FieldParams,
          querystring: FieldValuesQuery,
          response: { 200: FieldValuesBody },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        return fields.listValues(toScope(callerOf(request)), params.name, query, abortOnDisconnect(reply));
      },
    );

    app.post(
      "/siem/query/validate",
      {
        config: { ...reading, effect: "none" },
        schema: {
          operationId: "validateQuery",
          summary: "Validate a query",
          body: ValidateRequest,
          response: { 200: ValidateBody },
        },
      },
      async ({ body }) => {
        const problems = fields.check(body.query);
        return { valid: problems.length === 0, problems };
      },
    );
  };
}
