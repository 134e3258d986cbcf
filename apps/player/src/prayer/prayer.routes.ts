import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  PrayerBody,
  PrayerConfigRequest,
  PrayerConfigResult,
  PrayerMonthBody,
  PrayerMonthQuery,
} from "./prayer.schema.ts";
import type { PrayerService } from "./prayer.service.ts";

export function prayerRoutes(prayer: PrayerService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/prayer",
      {
        config: { access: "none", budget: "status" },
        schema: { operationId: "getPrayerTimes", summary: "Get today's prayer times", response: { 200: PrayerBody } },
      },
      async () => prayer.get(),
    );
    app.post(
      "/prayer/config",
      {
        config: { access: "token", budget: "mutation" },
        schema: {
          operationId: "updatePrayerConfig",
          summary: "Update the prayer configuration",
          description: "Fields that are left out keep their values.",
          body: PrayerConfigRequest,
          response: { 200: PrayerConfigResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await prayer.configure(body)) }),
    );
    app.get(
      "/prayer/month",
      {
        config: { access: "none", budget: "read" },
        schema: {
          operationId: "getPrayerMonth",
          summary: "Get the prayer times of a month",
          description: "`month` is such as 2026-11, from 2000 to 2099. `days` is empty without a place.",
          querystring: PrayerMonthQuery,
          response: { 200: PrayerMonthBody },
        },
      },
      async ({ query }) => prayer.month(query.month),
    );
  };
}
