import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { DropsBody } from "./drops.schema.ts";
import type { DropsService } from "./drops.service.ts";

/** Under /api/v1. */
export function dropsRoutes(drops: DropsService): Routes {
  return async (app) => {
    app.get(
      "/siem/drops",
      operation(
        "listSyslogDrops",
        "List syslog senders with dropped messages",
        { needs: ["siem:read"], byKey: true },
        { querystring: PageQuery, response: { 200: PageOf(DropsBody) } },
      ),
      async ({ query }) => drops.list(query),
    );
  };
}
