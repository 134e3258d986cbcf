import type { AgentPlan, JudgedSubject, PlannedCall } from "./step.ts";

const MAX_TITLE = 500;

/**
 * Agents open a case only if the operator allows it, and only for a malicious alert. An inconclusive verdict does not
 * show which side is more likely, so a person decides.
 */
function isCaseNeeded({ judgement, case_id, opens_cases = true }: JudgedSubject): boolean {
  return opens_cases && judgement.verdict === "malicious" && case_id === undefined;
}

function describe({ alert, judgement: { verdict, confidence } }: JudgedSubject): string {
  return `The investigation of alert ${alert.id} ended ${verdict}, with a confidence of ${Math.round(confidence * 100)} %.`;
}

function planCalls(subject: JudgedSubject): PlannedCall[] {
  const { alert, case_id } = subject;
  if (case_id !== undefined) return [{ tool: "update_case", input: { case_id, notes: describe(subject) } }];
  if (!isCaseNeeded(subject)) return [];
  const { id, severity, title } = alert;
  const input = { title: title.slice(0, MAX_TITLE), severity, alert_ids: [id], description: describe(subject) };
  return [{ tool: "create_case", input }];
}

/** Opens a case for a malicious alert, or adds the verdict to the alert's case. */
export const TRIAGE_PLAN: AgentPlan<JudgedSubject> = {
  agent: "agent-001",
  isTriggered: (subject) => subject.case_id !== undefined || isCaseNeeded(subject),
  calls: planCalls,
  // A case is no evidence.
  conclude: () => [],
};

/** Reports on the case of a malicious alert. */
export const REPORT_PLAN: AgentPlan<JudgedSubject> = {
  agent: "agent-015",
  isTriggered: ({ judgement, case_id }) => judgement.verdict === "malicious" && case_id !== undefined,
  calls: (subject) =>
    REPORT_PLAN.isTriggered(subject)
      ? [
          {
            tool: "generate_report",
            input: { report_type: "investigation", case_id: subject.case_id, format: "markdown" },
          },
        ]
      : [],
  // A report consists of findings and adds none.
  conclude: () => [],
};
