import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { AlertPageBody, AlertPageParams, CasePageBody, CasePageParams } from "./pages.schema.ts";
import type { PagesService } from "./pages.service.ts";

export function pagesRoutes(pages: PagesService): Routes {
  return async (app) => {
    app.get(
      "/alerts/:alert_id/full",
      operation(
        "getFullAlert",
        "Get an alert with all related records",
        { needs: ["alerts:read"], byKey: true, bySite: "records" },
        { params: AlertPageParams, response: { 200: AlertPageBody } },
      ),
      async (request) => pages.alert(callerOf(request), request.params.alert_id),
    );
    app.get(
      "/cases/:case_id/full",
      operation(
        "getFullCase",
        "Get a case with all related records",
        { needs: ["cases:read"], byKey: true, bySite: "records" },
        { params: CasePageParams, response: { 200: CasePageBody } },
      ),
      async (request) => pages.case(callerOf(request), request.params.case_id),
    );
  };
}
