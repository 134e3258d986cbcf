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
      {
        config: { access: "none", budget: "read" },
        schema: { operationId: "listSchedules", summary: "List schedules", response: { 200: SchedulesBody } },
      },
      async () => ({ schedules: schedules.list() }),
    );
    app.post(
      "/schedules",
      {
        config: mutation,
        schema: {
          operationId: "createSchedule",
          summary: "Create a schedule",
          body: CreateScheduleRequest,
          response: { 200: ScheduleResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await schedules.add(body)) }),
    );
    app.delete(
      "/schedules/:id",
      {
        config: mutation,
        schema: {
          operationId: "deleteSchedule",
          summary: "Delete a schedule",
          params: ScheduleParams,
          response: { 200: RemoveScheduleResult },
        },
      },
      async ({ params }) => {
        schedules.remove(params.id);
        return { success: true };
      },
    );
    app.post(
      "/schedules/:id/enable",
      {
        config: mutation,
        schema: {
          operationId: "enableSchedule",
          summary: "Enable or disable a schedule",
          params: ScheduleParams,
          body: EnableScheduleRequest,
          response: { 200: ScheduleResult },
        },
      },
      async ({ params, body }) => ({ success: true, ...schedules.enable(params.id, body.enabled) }),
    );
  };
}
