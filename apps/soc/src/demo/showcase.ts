import type { Alert } from "../alerts/alerts/alert.ts";
import type { WholeCase } from "../cases/cases/case.ts";
import type { AuditEntryBody } from "../foundation/audit/audit.schema.ts";
import { buildShowcaseAgents } from "./agents.ts";
import { buildShowcaseAlerts } from "./alerts.ts";
import { buildShowcaseApprovals } from "./approvals.ts";
import { buildShowcaseAutomations } from "./automations.ts";
import { buildShowcaseCases, buildShowcaseLedger } from "./cases.ts";
import { buildShowcaseDetections, type ShowcaseDetections } from "./detections.ts";
import { buildShowcaseDevices } from "./devices.ts";
import { buildShowcaseEdr } from "./endpoints.ts";
import { buildShowcaseExecutions } from "./executions.ts";
import { buildShowcaseHunts, buildShowcaseViews } from "./hunts.ts";
import { buildShowcaseInvestigations } from "./investigations.ts";
import { buildShowcaseIocs } from "./iocs.ts";
import { buildShowcaseCounters, buildShowcaseLogs } from "./logs.ts";
import { buildShowcaseNotifications } from "./notifications.ts";
import { buildShowcaseReports } from "./reports.ts";
import { ANALYSTS, SITES, toStoryId } from "./story.ts";

declare module "../foundation/showcase/showcase.ts" {
  interface Showcase extends ReturnType<typeof buildShowcase> {}
}

/**
 * Builds one intrusion in all records of the platform. The story is the same at any time: ids are constant, and times
 * move with the clock.
 */
export function buildShowcase(now: Date) {
  const { logs, logsByAlert } = buildShowcaseLogs(now);
  const raised = buildShowcaseAlerts(now, logsByAlert);
  const detections = buildShowcaseDetections(now, logs, raised);
  const alerts = raised.map((alert) => ({ ...alert, rule_id: findRuleId(alert, detections) }));
  const cases = buildShowcaseCases(now);
  return {
    sites: Object.values(SITES),
    users: [...ANALYSTS],
    agents: buildShowcaseAgents(now),
    alerts,
    cases,
    ledger: buildShowcaseLedger(cases),
    audit: buildShowcaseAudit(alerts, cases),
    logs,
    log_counters: buildShowcaseCounters(logs),
    hunts: buildShowcaseHunts(now),
    views: buildShowcaseViews(now),
    detections,
    edr: buildShowcaseEdr(now),
    cps: buildShowcaseDevices(now),
    iocs: buildShowcaseIocs(now, logs),
    executions: buildShowcaseExecutions(now, alerts),
    approvals: buildShowcaseApprovals(now),
    investigations: buildShowcaseInvestigations(now, alerts),
    automations: buildShowcaseAutomations(now),
    reports: buildShowcaseReports(now),
    notifications: buildShowcaseNotifications(now),
  };
}

/** Returns the rule that matched the logs of the alert; null for an alert of another product. */
function findRuleId({ id }: Alert, { matches }: ShowcaseDetections): string | null {
  return matches.find(({ alert_id }) => alert_id === id)?.rule_id ?? null;
}

function buildShowcaseAudit(alerts: readonly Alert[], cases: readonly WholeCase[]): AuditEntryBody[] {
  const ofAlerts = alerts.map(({ id, source, created_at, title, severity }) => ({
    at: created_at,
    actor: source,
    action: "alert.created",
    subject_type: "alert",
    subject_id: id,
    details: { title, severity },
  }));
  const ofCases = cases.flatMap(({ id, timeline }) =>
    timeline.map(({ agent, action, timestamp }, index) => ({
      at: timestamp,
      actor: agent,
      action: index === 0 ? "case.created" : "case.updated",
      subject_type: "case",
      subject_id: id,
      details: { what: action },
    })),
  );
  return [...ofAlerts, ...ofCases]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map((entry, index) => ({ id: toStoryId("audit", index + 1), ...entry }));
}
