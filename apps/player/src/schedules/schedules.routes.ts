import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  CreateScheduleRequest,
  EnableScheduleRequest,
  RemoveScheduleResult,
  ScheduleParams,
  ScheduleResult,
  SchedulesBody,
} from "./schedules.schema.ts";
import type { SchedulesService } from "./schedules.service.ts";

const mutation = { access: "token", budget: "mutation" } as const;

export function schedulesRoutes(schedules: SchedulesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/schedules",
      { config: { access: "none", budget: "read" }, schema: { response: { 200: SchedulesBody } } },
      async () => ({ schedules: schedules.list() }),
    );
    app.post(
      "/schedules",
      { config: mutation, schema: { body: CreateScheduleRequest, response: { 200: ScheduleResult } } },
      async ({ body }) => ({ success: true, ...(await schedules.add(body)) }),
    );
    app.delete(
      "/schedules/:id",
      { config: mutation, schema: { params: ScheduleParams, response: { 200: RemoveScheduleResult } } },
      async ({ params }) => {
        schedules.remove(params.id);
        return { success: true };
      },
    );
    app.post(
      "/schedules/:id/enable",
      {
        config: mutation,
        schema: { params: ScheduleParams, body: EnableScheduleRequest, response: { 200: ScheduleResult } },
      },
      async ({ params, body }) => ({ success: true, ...schedules.enable(params.id, body.enabled) }),
    );
  };
}
