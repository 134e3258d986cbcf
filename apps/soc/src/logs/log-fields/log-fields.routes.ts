import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../query/abort-on-disconnect.ts";
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

export function logFieldsRoutes(fields: LogFieldsService, begin: BeginNamed): Routes {
  return async (app) => {
    app.get(
      "/siem/fields",
      {
        ...operation("listLogFields", "List the fields of logs", searching, {
          querystring: LogFieldsQuery,
          response: { 200: LogFieldsBody },
        }),
        preValidation: begin,
      },
      async (request, reply) => fields.list(toScope(callerOf(request)), request.query, abortOnDisconnect(reply)),
    );

    app.get(
      "/siem/fields/:name/values",
      {
        ...operation("listLogFieldValues", "List the values of a log field", searching, {
          params: FieldParams,
          querystring: FieldValuesQuery,
          response: { 200: FieldValuesBody },
        }),
        preValidation: begin,
      },
      async (request, reply) => {
        const { params, query } = request;
        return fields.listValues(toScope(callerOf(request)), params.name, query, abortOnDisconnect(reply));
      },
    );

    app.post(
      "/siem/query/validate",
      operation(
        "validateQuery",
        "Validate a query",
        { ...reading, effect: "none" },
        { body: ValidateRequest, response: { 200: ValidateBody } },
      ),
      async ({ body }) => {
        const problems = fields.check(body.query);
        return { valid: problems.length === 0, problems };
      },
    );
  };
}
