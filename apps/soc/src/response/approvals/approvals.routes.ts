import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import {
  ApprovalBody,
  ApprovalDetailBody,
  ApprovalPath,
  ApprovalsQuery,
  DecideRequest,
  ListApprovalsQuery,
} from "./approvals.schema.ts";
import type { ApprovalsService } from "./approvals.service.ts";

export function approvalsRoutes(approvals: ApprovalsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/approvals",
      operation(
        "listApprovals",
        "List approvals",
        { needs: ["approvals:manage"], bySite: "records" },
        {
          description: "Those that wait for a decision; `status` lists one status.",
          querystring: ListApprovalsQuery,
          response: { 200: PageOf(ApprovalBody) },
        },
      ),
      async (request) => {
        const { decidable = false, ...query } = request.query;
        const caller = callerOf(request);
        return decidable ? approvals.listDecidable(caller, query) : approvals.list(toScope(caller), query);
      },
    );

    app.get(
      "/approvals/mine",
      operation(
        "listOwnApprovals",
        "List approvals requested by the caller",
        { needs: "authenticated", bySite: "records" },
        {
          description: "In every status, newest first.",
          querystring: ApprovalsQuery,
          response: { 200: PageOf(ApprovalBody) },
        },
      ),
      async (request) => approvals.listOwn(callerOf(request), request.query),
    );

    app.get(
      "/approvals/:id",
      operation(
        "getApproval",
        "Get an approval",
        { needs: "authenticated", bySite: "records" },
        {
          description: "404 unless it is the caller's own or the caller holds `approvals:manage`.",
          params: ApprovalPath,
          response: { 200: ApprovalDetailBody },
        },
      ),
      async (request) => approvals.get(callerOf(request), request.params.id),
    );

    app.post(
      "/approvals/:id/decide",
      operation(
        "decideApproval",
        "Approve or reject a request",
        { needs: ["approvals:manage"], effect: "change", bySite: "records", stepUp: true },
        {
          description: "409 if decided before.",
          params: ApprovalPath,
          body: DecideRequest,
          response: { 200: WithPreviewOf(ApprovalBody) },
        },
      ),
      async (request, reply) => {
        const { params, body } = request;
        const inputs = await approvals.planDecision(callerOf(request), params.id, body);
        const decided = await changes.run(request, (tx, caller) =>
          approvals.decide(tx, caller, params.id, body, inputs),
        );
        return answer(reply, 200, decided);
      },
    );
  };
}
