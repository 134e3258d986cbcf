import type { Alert } from "../alerts/alerts/alert.ts";
import type { ActionName } from "../foundation/actions/action.ts";
import type { ExecutionDetail } from "../response/executions/execution.ts";
import { type Analyst, minutesBefore, toStoryId } from "./story.ts";

interface StepFact {
  id: string;
  name: string;
  action: ActionName;
  status?: "skipped" | "failed" | "timeout";
  result?: Record<string, unknown>;
  error?: string;
}

interface ExecutionFact {
  minutesAgo: number;
  by: Analyst;
  playbook: [id: string, name: string];
  /** The title of the triggering alert. */
  alert: string;
  status: "completed" | "failed" | "timeout" | "cancelled";
  parameters: Record<string, unknown>;
  /** The steps that have started so far. */
  steps: StepFact[];
  steps_total: number;
}

const OPENED = { name: "Open a case", action: "case.create", result: { created: false } } as const;
const NOTIFIED = {
  id: "tell",
  name: "Tell the team",
  action: "notify.webhook",
  result: { status: "delivered" },
} as const;

const EXECUTIONS: readonly ExecutionFact[] = [
  {
    minutesAgo: 1568,
    by: "yusuf.karim",
    playbook: ["phishing", "Phishing"],
    alert: "Mail with a link to a sign-in page that imitates ours",
    status: "completed",
    parameters: { sender: "billing@manara-sso.example", url: "https://manara-sso.example/login" },
    steps_total: 8,
    steps: [
      { id: "case", ...OPENED },
      { id: "receivers", name: "Who else got it", action: "siem.search", result: { total: 6 } },
      {
        id: "clicked",
        name: "Who opened the address",
        action: "siem.search",
        result: { total: 1, hosts: ["FIN-LT-014"], users: ["layla.haddad"] },
      },
      {
        id: "indicator",
        name: "Make the address known",
        action: "iocs.add",
        result: { type: "url", value: "https://manara-sso.example/login" },
      },
      { id: "findings", name: "Write down what was found", action: "case.comment" },
      { id: "passwords", name: "Ask for new passwords", action: "case.task" },
      NOTIFIED,
      { id: "alert", name: "Take the alert on", action: "alert.update", result: { status: "investigating" } },
    ],
  },
  {
    minutesAgo: 925,
    by: "amina.farouk",
    playbook: ["malicious-address", "Malicious address"],
    alert: "Server calls the same address every 60 seconds",
    status: "timeout",
    parameters: { address: "198.51.100.77" },
    steps_total: 6,
    steps: [
      {
        id: "known",
        name: "Make the address known",
        action: "iocs.add",
        result: { type: "ipv4", value: "198.51.100.77" },
      },
      { id: "talks", name: "Who talks to it", action: "siem.search", result: { total: 41 } },
      { id: "case", ...OPENED },
      { id: "findings", name: "Write down who", action: "case.comment" },
      {
        id: "agree",
        name: "Ask before it is blocked",
        action: "approval.request",
        status: "timeout",
        error: "no reviewer decided in time",
      },
    ],
  },
  {
    minutesAgo: 2385,
    by: "sara.mansour",
    playbook: ["brute-force", "Brute force"],
    alert: "Twenty wrong passwords for one account",
    status: "completed",
    parameters: {},
    steps_total: 6,
    steps: [
      { id: "pause", name: "Let the logs come in", action: "wait" },
      { id: "failed", name: "How many failed", action: "siem.search", result: { total: 20 } },
      { id: "succeeded", name: "Did one succeed", action: "siem.search", result: { total: 0 } },
      { id: "case", name: "Open a case", action: "case.create", status: "skipped" },
      { id: "reset", name: "Ask for a new password", action: "case.task", status: "skipped" },
      { id: "resolve", name: "Close what came to nothing", action: "alert.update", result: { status: "resolved" } },
    ],
  },
  {
    minutesAgo: 2395,
    by: "sara.mansour",
    playbook: ["brute-force", "Brute force"],
    alert: "Twenty wrong passwords for one account",
    status: "failed",
    parameters: {},
    steps_total: 6,
    steps: [
      { id: "pause", name: "Let the logs come in", action: "wait" },
      {
        id: "failed",
        name: "How many failed",
        action: "siem.search",
        status: "failed",
        error: "the log store did not answer in time",
      },
    ],
  },
  {
    minutesAgo: 140,
    by: "sara.mansour",
    playbook: ["phishing", "Phishing"],
    alert: "Mail with a link to a page that is three hours old",
    status: "cancelled",
    parameters: {},
    steps_total: 8,
    steps: [],
  },
];

/** The playbook executions of the story, linked to their alerts. */
export function buildShowcaseExecutions(now: Date, alerts: readonly Alert[]): ExecutionDetail[] {
  return EXECUTIONS.map((fact, index) => buildShowcaseExecution(fact, toStoryId("execution", index + 1), now, alerts));
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
    playbook_version: 1,
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
