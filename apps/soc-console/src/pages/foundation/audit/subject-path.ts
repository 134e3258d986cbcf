import { showValue } from "../../../app/changes/show-value.ts";
import type { AuditEntry } from "./audit-client.ts";

/** The pages of records, by their type in the audit log. */
const PAGES: Readonly<Record<string, string>> = {
  alert: "/alerts/",
  case: "/cases/",
  approval: "/approvals/",
  hunt: "/hunt/saved/",
  rule: "/detections/",
  playbook: "/playbooks/",
  execution: "/runs/",
  endpoint: "/endpoints/",
  ioc: "/indicators/",
  device: "/devices/",
  investigation: "/agents/investigations/",
  report: "/reports/",
};

/** Records that are shown on a tab of their case. */
const CASE_TABS: Readonly<Record<string, string>> = {
  evidence: "evidence",
  comment: "timeline",
  task: "tasks",
  observable: "observables",
};

/** The page of an entry's subject; undefined if it has none. */
export function subjectPath({ subject_type, subject_id, details }: AuditEntry): string | undefined {
  const page = PAGES[subject_type];
  if (page !== undefined) return `${page}${encodeURIComponent(subject_id)}`;
  const tab = CASE_TABS[subject_type];
  const caseId = showValue(new Map<string, unknown>(Object.entries(details)).get("case_id"));
  return tab !== undefined && caseId !== "" ? `/cases/${encodeURIComponent(caseId)}/${tab}` : undefined;
}
