import type { FastifyRequest } from "fastify";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

interface ExecuteParams {
  params: { id: string };
  query: { approval_id?: string };
  body: ExecuteRequest | null;
}

export function executionsRoutes(executions: ExecutionsService, changes: ChangesService): Routes {
  async function execute(request: FastifyRequest, { params, query, body }: ExecuteParams) {
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
      operation("listSoarExecutions", "List SOAR executions", { needs: ["soar:read"], byKey: true }, { ...listing }),
      async ({ query }) => executions.list(query),
    );

    app.post(
      "/soar/playbooks/:id/execute",
      operation(
        "executeSoarPlaybook",
        "Execute a SOAR playbook",
        { needs: ["soar:execute"], effect: "change", byKey: true, isPlaybookExecution: true },
        { description: "Answers `pending_approval` for a critical playbook.", ...executing },
      ),
      async (request) => execute(request, request),
    );

    app.get(
      "/playbooks/executions",
      operation(
        "listExecutions",
        "List playbook executions",
        { needs: ["playbooks:read"], byKey: true },
        { ...listing },
      ),
      async ({ query }) => executions.list(query),
    );

    app.post(
      "/playbooks/:id/execute",
      operation(
        "executePlaybook",
        "Execute a playbook",
        { needs: ["playbooks:execute"], effect: "change", byKey: true, isPlaybookExecution: true },
        { description: "As `POST /soar/playbooks/{id}/execute`, behind the same gate.", ...executing },
      ),
      async (request) => execute(request, request),
    );

    app.get(
      "/soar/executions/:id",
      operation(
        "getSoarExecution",
        "Get a SOAR execution",
        { needs: ["soar:read"], byKey: true },
        { params: ExecutionPath, response: { 200: ExecutionDetailBody } },
      ),
      async ({ params }) => executions.get(params.id),
    );

    app.post(
      "/soar/executions/:id/cancel",
      operation(
        "cancelSoarExecution",
        "Cancel a SOAR execution",
        { needs: ["soar:execute"], effect: "change", byKey: true },
        {
          description:
            "No further step begins, an open approval is withdrawn, and steps with a compensation are compensated. 409 when it is over or is being compensated.",
          params: ExecutionPath,
          response: { 200: WithPreviewOf(ExecutionBody) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => executions.cancel(tx, caller, request.params.id)),
    );
  };
}
