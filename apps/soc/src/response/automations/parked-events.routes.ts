import { PageQuery, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { ParkedEventBody, ParkedEventPath, ParkedEventsPage } from "./parked-events.schema.ts";
import type { ParkedEventsService } from "./parked-events.service.ts";

export function parkedEventsRoutes(
  parked: Pick<ParkedEventsService, "list" | "requestRetry">,
  changes: ChangesService,
): Routes {
  return async (app) => {
    app.get(
      "/soar/automations/parked-events",
      operation(
        "listParkedEvents",
        "List events that automations could not handle",
        { needs: ["soar:read"] },
        {
          description: "Each is retried automatically, at least once an hour.",
          querystring: PageQuery,
          response: { 200: ParkedEventsPage },
        },
      ),
      async ({ query }) => parked.list(query),
    );

    app.post(
      "/soar/automations/parked-events/:id/retry",
      operation(
        "retryParkedEvent",
        "Retry a parked event",
        { needs: ["soar:manage"], effect: "change" },
        { params: ParkedEventPath, response: { 200: WithPreviewOf(ParkedEventBody) } },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => parked.requestRetry(tx, caller, request.params.id)),
    );
  };
}
