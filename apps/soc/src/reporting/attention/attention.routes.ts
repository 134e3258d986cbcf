import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { AttentionBody } from "./attention.schema.ts";
import type { AttentionService } from "./attention.service.ts";
import { ATTENTION_DAYS, LEAST_SEVERITY } from "./attention-filter.schema.ts";

export function attentionRoutes(attention: AttentionService): Routes {
  return async (app) => {
    app.get(
      "/stats/attention",
      operation(
        "getAttention",
        "Count what needs the caller's attention",
        { needs: "authenticated", bySite: "records" },
        {
          description: `Open alerts of severity ${LEAST_SEVERITY} or above that were seen in the last ${ATTENTION_DAYS} days and have no assignee or the caller; open cases without an assignee or of the caller; pending approvals that the caller may decide; unread inbox items.`,
          response: { 200: AttentionBody },
        },
      ),
      async (request) => attention.read(callerOf(request)),
    );
  };
}
