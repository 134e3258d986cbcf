import type { Executed, ExecutionsService } from "../../response/executions/executions.service.ts";
import { ExecutePlaybookInput, ExecutePlaybookOutput } from "./documented-tools.schema.ts";
import { defineTool, type Tool } from "./tool.ts";

export interface PlaybookToolDeps {
  executions: Pick<ExecutionsService, "plan" | "execute">;
}

/** `execute_playbook`: the same start, and the same approval gate, as the execute routes have. */
export function createPlaybookTool({ executions }: PlaybookToolDeps): Tool {
  return defineTool({
    name: "execute_playbook",
    description:
      "Starts a playbook for an alert. A critical playbook does not start: it answers pending_approval with an approval_id; once a person has approved, repeat the call with that approval_id.",
    permission: "playbooks:execute",
    input: ExecutePlaybookInput,
    output: ExecutePlaybookOutput,
    budgetMs: 15_000,
    changes: true,
    isPlaybookExecution: true,

    async run({ caller, change }, { playbook_id, approval_id, alert_id, parameters, dry_run }) {
      const body = { alert_id, dry_run, ...(parameters && { parameters }) };
      const plan = await executions.plan(caller, { playbookId: playbook_id, approvalId: approval_id, body });
      const { dry_run: isPreview, result } = await change((tx) => executions.execute(tx, plan));
      return toAnswer(result, dry_run || isPreview);
    },
  });
}

function toAnswer({ answer }: Executed, dry_run: boolean) {
  const { status, steps_total: total_steps } = answer;
  if ("execution_id" in answer) {
    const { execution_id, steps_completed } = answer;
    return { execution_id: dry_run ? null : execution_id, status, steps_completed, total_steps, dry_run };
  }
  return {
    ...{ execution_id: null, status, steps_completed: 0, total_steps, dry_run },
    // The approval of a preview is not stored.
    approval_id: dry_run ? null : answer.approval_id,
    error_code: "approval_required" as const,
    error: answer.message,
  };
}
