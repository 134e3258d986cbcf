import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { PlaybookPath } from "../playbooks/playbooks.schema.ts";
import {
  ExecuteAnswer,
  ExecuteBody,
  ExecuteQuery,
  type ExecuteRequest,
  ExecutionBody,
  ExecutionDetailBody,
  ExecutionPath,
  ListExecutionsQuery,
} from "./executions.schema.ts";
import type { ExecutionsService } from "./executions.service.ts";

interface Asked {
  params: { id: string };
  query: { approval_id?: string };
  body: ExecuteRequest | null;
}

export function executionsRoutes(executions: ExecutionsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  async function execute(request: FastifyRequest, { params, query, body }: Asked) {
    const caller = callerOf(request);
    const call = { playbookId: params.id, approvalId: query.approval_id, body: body ?? {} };
    const plan = await executions.plan(caller, call);
    const { dry_run, result } = await changes.run(request, (tx) => executions.execute(tx, plan));
    if (!dry_run && body?.dry_run !== true) return result.answer;
    const effects = result.effects.map(({ sends, ...effect }) => ({ ...effect, sends: [...sends] }));
    return { dry_run: true, preview: { ...result.answer, effects } };
  }

  const executing = {
    params: PlaybookPath,
    querystring: ExecuteQuery,
    body: ExecuteBody,
    response: { 200: ExecuteAnswer },
  };
  const listing = { querystring: ListExecutionsQuery, response: { 200: PageOf(ExecutionBody) } };

  return async (app) => {
    app.get(
      "/soar/executions",
      {
        config: { needs: ["soar:read"], byKey: true },
        schema: { operationId: "listSoarExecutions", summary: "List SOAR executions", ...listing },
      },
      async ({ query }) => executions.list(query),
    );

    app.post(
      "/soar/playbooks/:id/execute",
      {
        config: { needs: ["soar:execute"], effect: "change", byKey: true, isPlaybookExecution: true },
        schema: { operationId: "executeSoarPlaybook", summary: "Execute a SOAR playbook", ...executing },
      },
      async (request) => execute(request, request),
    );

    app.get(
      "/playbooks/executions",
      {
        config: { needs: ["playbooks:read"], byKey: true },
        schema: { operationId: "listExecutions", summary: "List playbook executions", ...listing },
      },
      async ({ query }) => executions.list(query),
    );

    app.post(
      "/playbooks/:id/execute",
      {
        config: { needs: ["playbooks:execute"], effect: "change", byKey: true, isPlaybookExecution: true },
        schema: { operationId: "executePlaybook", summary: "Execute a playbook", ...executing },
      },
      async (request) => execute(request, request),
    );

    app.get(
      "/soar/executions/:id",
      {
        config: { needs: ["soar:read"], byKey: true },
        schema: {
          operationId: "getSoarExecution",
          summary: "Get a SOAR execution",
          params: ExecutionPath,
          response: { 200: ExecutionDetailBody },
        },
      },
      async ({ params }) => executions.get(params.id),
    );

    app.post(
      "/soar/executions/:id/cancel",
      {
        config: { needs: ["soar:execute"], effect: "change", byKey: true },
        schema: {
          operationId: "cancelSoarExecution",
          summary: "Cancel a SOAR execution",
          params: ExecutionPath,
          response: { 200: Type.Union([ExecutionBody, PreviewOf(ExecutionBody)]) },
        },
      },
      async (request, reply) => {
        const cancelled = await changes.run(request, (tx, caller) => executions.cancel(tx, caller, request.params.id));
        return answer(reply, 200, cancelled);
      },
    );
  };
}
