import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { SlaSettings } from "./case-sla.schema.ts";
import type { CaseSlaService } from "./case-sla.service.ts";

export function caseSlaRoutes(sla: CaseSlaService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/case-sla",
      operation(
        "getCaseSla",
        "Get the case SLA targets",
        { needs: ["cases:read"] },
        { response: { 200: SlaSettings } },
      ),
      async () => sla.read(),
    );
    app.put(
      "/case-sla",
      operation(
        "replaceCaseSla",
        "Replace the case SLA targets",
        { needs: ["cases:manage"], effect: "change" },
        {
          description:
            "Needs all five severities. Applies to cases that are opened, or get another severity, from now on.",
          body: SlaSettings,
          response: { 200: WithPreviewOf(SlaSettings) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => sla.replace(tx, caller, request.body)),
    );
  };
}
