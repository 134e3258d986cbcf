import type { Alert } from "../alerts/alerts/alert.ts";
import { AGENT_NAMES } from "../assistants/agents/agent-names.ts";
import type { ShownInvestigation } from "../assistants/runs/investigation.ts";
import { SEED } from "./seed.ts";
import { minutesBefore, toStoryId } from "./story.ts";

/** Builds investigations whose findings cite the logs of the alert. */
export function buildShowcaseInvestigations(now: Date, alerts: readonly Alert[]): ShownInvestigation[] {
  return SEED.investigations.map((fact, index) => {
    const alert = alerts.find(({ title }) => title === fact.alert);
    if (!alert) throw new Error(`the showcase has no alert '${fact.alert}'`);
    const created_at = minutesBefore(now, fact.minutesAgo);
    const ended_at = new Date(created_at.getTime() + fact.seconds * 1000);
    return {
      id: toStoryId("investigation", index + 1),
      investigation_id: toStoryId("investigation", index + 1),
      status: "completed",
      trigger: fact.by === undefined ? "alert" : "request",
      alert_id: alert.id,
      alert_context: { alert_id: alert.id },
      severity: alert.severity,
      has_cps_assets: false,
      requested_by: fact.by ?? "agent:SupervisorAgent",
      verdict: fact.verdict,
      confidence: fact.confidence,
      summary: `"${alert.title}" is ${fact.verdict}, with a confidence of ${Math.round(fact.confidence * 100)} %. ${fact.reasons}`,
      findings: fact.findings.map((statement) => ({
        ...{ statement, evidence_ids: alert.log_ids.slice(0, 3), claims: [] },
        ...{ is_supported: true, unsupported: [] },
      })),
      mitre_techniques: alert.mitre_techniques,
      recommended_actions: [...fact.actions],
      agents: [...fact.agents, ["agent-016"] as const].map(([agent_id, ...tools], place) => ({
        ...{ agent_id, name: AGENT_NAMES[agent_id], run_id: toStoryId("agent_run", index * 16 + place + 1) },
        ...{ status: "completed", calls: tools.map((tool) => ({ tool, status: "completed", error_code: null })) },
      })),
      case_id: alert.case_id,
      error: null,
      created_at,
      started_at: created_at,
      ended_at,
      steps: [
        {
          ...{ agent_id: "agent-016", sequence: 1, kind: "clock", name: "now", arguments: "null" },
          ...{ result: JSON.stringify({ value: created_at }), is_cut: false, error_code: null, at: created_at },
        },
      ],
    };
  });
}
