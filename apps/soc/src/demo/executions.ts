import type { Alert } from "../alerts/alerts/alert.ts";
import type { ExecutionDetail } from "../response/executions/execution.ts";
import { type ExecutionFact, SEED } from "./seed.ts";
import { minutesBefore, toStoryId } from "./story.ts";

/** Builds the playbook executions of the showcase, linked to their alerts. */
export function buildShowcaseExecutions(now: Date, alerts: readonly Alert[]): ExecutionDetail[] {
  return SEED.executions.map((fact, index) =>
    buildShowcaseExecution(fact, toStoryId("execution", index + 1), now, alerts),
  );
}

function buildShowcaseExecution(
  fact: ExecutionFact,
  execution_id: string,
  now: Date,
  alerts: readonly Alert[],
): ExecutionDetail {
  const { minutesAgo, by, playbook, status, parameters, steps, steps_total } = fact;
  const about = alerts.find(({ title }) => title === fact.alert);
  const created_at = minutesBefore(now, minutesAgo);
  const ended = minutesBefore(now, minutesAgo - (status === "timeout" ? 240 : 1));
  return {
    id: execution_id,
    execution_id,
    playbook_id: playbook[0],
    playbook_name: playbook[1],
    playbook_version: playbook[2],
    status,
    steps_completed: steps.filter(({ error }) => error === undefined).length,
    steps_total,
    requires_approval: false,
    simulated: false,
    alert_id: about?.id ?? null,
    case_id: about?.case_id ?? null,
    parameters,
    approval_id: null,
    requested_by: by,
    error: describeFailure(fact),
    created_at,
    started_at: created_at,
    finished_at: ended,
    updated_at: ended,
    steps: steps.map((step) => ({
      step_id: step.id,
      part: "step",
      name: step.name,
      action: step.action,
      status: step.status ?? "completed",
      attempt: 1,
      approval_id: null,
      result: step.result ?? null,
      error: step.error ?? null,
      started_at: created_at,
      finished_at: ended,
    })),
  };
}

function describeFailure({ status, by, steps }: ExecutionFact): string | null {
  if (status === "cancelled") return `cancelled by ${by}`;
  const failed = steps.find(({ error }) => error !== undefined);
  return failed ? `step '${failed.id}': ${failed.error}` : null;
}
