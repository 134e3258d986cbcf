import type { ExecuteResult, ExecutionsService } from "../../response/module.ts";
import { ExecutePlaybookInput, ExecutePlaybookOutput } from "./documented-tools.schema.ts";
import { defineTool, type Tool } from "./tool.ts";

export interface PlaybookToolDeps {
  executions: Pick<ExecutionsService, "plan" | "execute">;
}

/** `execute_playbook`: uses the same start and approval gate as the execute routes. */
export function createPlaybookTool({ executions }: PlaybookToolDeps): Tool {
  return defineTool({
    name: "execute_playbook",
    description:
      "Starts a playbook for an alert. A critical playbook does not start: it returns pending_approval with an approval_id; after a person has approved, repeat the call with that approval_id.",
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
      return dry_run || isPreview ? toPreview(result) : toAnswer(result);
    },
  });
}

/** Nothing was started or requested, so a critical playbook is not an error. */
function toPreview({ answer: { steps_total, requires_approval } }: ExecuteResult) {
  return {
    ...{ execution_id: null, status: "preview", steps_completed: 0, total_steps: steps_total, dry_run: true },
    requires_approval,
  };
}

function toAnswer({ answer }: ExecuteResult) {
  const { status, steps_total: total_steps, requires_approval } = answer;
  if ("execution_id" in answer) {
    const { execution_id, steps_completed } = answer;
    return { execution_id, status, steps_completed, total_steps, dry_run: false, requires_approval };
  }
  return {
    ...{ execution_id: null, status, steps_completed: 0, total_steps, dry_run: false, requires_approval },
    approval_id: answer.approval_id,
    error_code: "approval_required" as const,
    error: answer.message,
  };
}
