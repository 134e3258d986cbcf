import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { AlertPageBody, AlertPageParams, CasePageBody, CasePageParams } from "./pages.schema.ts";
import type { PagesService } from "./pages.service.ts";

export function pagesRoutes(pages: PagesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/alerts/:alert_id/full",
      {
        config: { needs: ["alerts:read"], byKey: true, bySite: "records" },
        schema: {
          operationId: "getFullAlert",
          summary: "Get an alert with all related records",
          params: AlertPageParams,
          response: { 200: AlertPageBody },
        },
      },
      async (request) => pages.alert(callerOf(request), request.params.alert_id),
    );
    app.get(
      "/cases/:case_id/full",
      {
        config: { needs: ["cases:read"], byKey: true, bySite: "records" },
        schema: {
          operationId: "getFullCase",
          summary: "Get a case with all related records",
          params: CasePageParams,
          response: { 200: CasePageBody },
        },
      },
      async (request) => pages.case(callerOf(request), request.params.case_id),
    );
  };
}
