import type { Alert } from "../casework/alerts/alert.ts";
import type { WholeCase } from "../casework/cases/case.ts";
import type { AuditEntryBody } from "../foundation/audit/audit.schema.ts";
import type { Showcase } from "../foundation/showcase/showcase.ts";
import { alertsOf } from "./showcase-alerts.ts";
import { approvalsOf } from "./showcase-approvals.ts";
import { automationsOf } from "./showcase-automations.ts";
import { casesOf, ledgerOf } from "./showcase-cases.ts";
import { detectionsOf } from "./showcase-detections.ts";
import { edrOf } from "./showcase-endpoints.ts";
import { executionsOf } from "./showcase-executions.ts";
import { huntsOf } from "./showcase-hunts.ts";
import { iocsOf } from "./showcase-iocs.ts";
import { countersOf, logsOf } from "./showcase-logs.ts";
import { notificationsOf } from "./showcase-notifications.ts";
import { reportsOf } from "./showcase-reports.ts";
import { ANALYSTS, idOf, type ShowcaseUser, SITES } from "./story.ts";

/** One intrusion, in everything that a platform would know of it, and the people who work on it. */
export type Intrusion = Showcase & { users: ShowcaseUser[] };

/** The same story at any time: ids stay, times move with the clock. */
export function showcaseOf(now: Date): Intrusion {
  const { logs, logIdsOf } = logsOf(now);
  const alerts = alertsOf(now, logIdsOf);
  const cases = casesOf(now);
  return {
    sites: Object.values(SITES),
    users: [...ANALYSTS],
    alerts,
    cases,
    ledger: ledgerOf(cases),
    audit: auditOf(alerts, cases),
    logs,
    log_counters: countersOf(logs),
    hunts: huntsOf(now),
    detections: detectionsOf(now, logs, alerts),
    edr: edrOf(now),
    iocs: iocsOf(now, logs),
    executions: executionsOf(now, alerts),
    approvals: approvalsOf(now),
    automations: automationsOf(now),
    reports: reportsOf(now),
    notifications: notificationsOf(now),
  };
}

function auditOf(alerts: readonly Alert[], cases: readonly WholeCase[]): AuditEntryBody[] {
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
    .map((entry, index) => ({ id: idOf("audit", index + 1), ...entry }));
}
