import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { ParkedEventBody, ParkedEventPath, ParkedEventsPage } from "./parked-events.schema.ts";
import type { ParkedEventsService } from "./parked-events.service.ts";

export function parkedEventsRoutes(
  parked: Pick<ParkedEventsService, "list" | "requestRetry">,
  changes: ChangesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/soar/automations/parked-events",
      {
        config: { needs: ["soar:read"] },
        schema: {
          operationId: "listParkedEvents",
          summary: "List events that automations could not handle",
          querystring: PageQuery,
          response: { 200: ParkedEventsPage },
        },
      },
      async ({ query }) => parked.list(query),
    );

    app.post(
      "/soar/automations/parked-events/:id/retry",
      {
        config: { needs: ["soar:manage"], effect: "change" },
        schema: {
          operationId: "retryParkedEvent",
          summary: "Retry a parked event",
          params: ParkedEventPath,
          response: { 200: Type.Union([ParkedEventBody, PreviewOf(ParkedEventBody)]) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        return answer(reply, 200, await changes.run(request, (tx, caller) => parked.requestRetry(tx, caller, id)));
      },
    );
  };
}
