import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { ApprovalBody, ApprovalDetailBody, ApprovalPath, ApprovalsQuery, DecideRequest } from "./approvals.schema.ts";
import type { ApprovalsService } from "./approvals.service.ts";

export function approvalsRoutes(approvals: ApprovalsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/approvals",
      {
        config: { needs: ["approvals:manage"], bySite: "records" },
        schema: {
          operationId: "listApprovals",
          summary: "List approvals",
          querystring: ApprovalsQuery,
          response: { 200: PageOf(ApprovalBody) },
        },
      },
      async (request) => approvals.list(toScope(callerOf(request)), request.query),
    );

    app.get(
      "/approvals/mine",
      {
        config: { needs: "authenticated", bySite: "records" },
        schema: {
          operationId: "listOwnApprovals",
          summary: "List approvals requested by the caller",
          querystring: ApprovalsQuery,
          response: { 200: PageOf(ApprovalBody) },
        },
      },
      async (request) => approvals.listOwn(callerOf(request), request.query),
    );

    app.get(
      "/approvals/:id",
      {
        config: { needs: "authenticated", bySite: "records" },
        schema: {
          operationId: "getApproval",
          summary: "Get an approval",
          params: ApprovalPath,
          response: { 200: ApprovalDetailBody },
        },
      },
      async (request) => approvals.get(callerOf(request), request.params.id),
    );

    app.post(
      "/approvals/:id/decide",
      {
        config: { needs: ["approvals:manage"], effect: "change", bySite: "records", stepUp: true },
        schema: {
          operationId: "decideApproval",
          summary: "Approve or reject a request",
          params: ApprovalPath,
          body: DecideRequest,
          response: { 200: Type.Union([ApprovalBody, PreviewOf(ApprovalBody)]) },
        },
      },
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
