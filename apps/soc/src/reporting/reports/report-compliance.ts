import type { CheckpointBody, LedgerStatusBody } from "../../cases/ledger/ledger.schema.ts";
import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import type { Period } from "../stats/period.ts";
import {
  type Block,
  facts,
  heading,
  type Point,
  paragraph,
  type ReportDocument,
  shorten,
  table,
  timeText,
} from "./report-document.ts";
import { periodText } from "./report-executive.ts";

/** The audit entries of one kind in the period: the newest ones and the total. */
export interface AuditSection {
  heading: string;
  subject_type?: string;
  action?: string;
}

export interface ComplianceFacts {
  period: Period;
  sections: readonly { section: AuditSection; items: readonly AuditEntryBody[]; total: number; isEstimate: boolean }[];
  auditTotal: number;
  ledger: LedgerStatusBody;
  checkpoints: readonly CheckpointBody[];
}

export const AUDIT_SECTIONS: readonly AuditSection[] = [
  { heading: "Evidence and custody", subject_type: "evidence" },
  { heading: "Approvals", subject_type: "approval" },
  { heading: "Playbook executions", subject_type: "execution" },
  { heading: "Actions on endpoints", subject_type: "endpoint" },
  { heading: "Users created", action: "user.created" },
  { heading: "Users changed", action: "user.updated" },
  { heading: "Users deleted", action: "user.deleted" },
  { heading: "API keys", subject_type: "api_key" },
  { heading: "Sign-ins refused", action: "auth.refused" },
  { heading: "Deleted cases", action: "case.deleted" },
  { heading: "Deleted reports", action: "report.deleted" },
];

type ReportOrigin = Pick<ReportDocument, "made_at" | "made_by">;

const MAX_DETAILS_LENGTH = 300;

export function buildComplianceReport(all: ComplianceFacts, made: ReportOrigin): ReportDocument {
  const { period, sections, auditTotal } = all;
  return {
    ...made,
    title: "Security operations: compliance report",
    report_type: "compliance",
    subject: periodText(period),
    blocks: [
      heading("Summary"),
      paragraph(
        "This report shows how evidence was handled, who approved what, who was granted access, and whether the records" +
          "are complete. Every change is written to the audit log in the same transaction; no user can edit " +
          "the log or the ledger through the platform.",
      ),
      facts(["Changes in the audit log", String(auditTotal)], ...sections.map(formatCount)),
      ...buildChart(sections),
      ...buildLedgerBlocks(all),
      ...sections.flatMap(buildSectionBlocks),
    ],
    ledger_bundle: null,
  };
}

type Section = ComplianceFacts["sections"][number];

function formatCount({ section, total, isEstimate }: Section): readonly [string, string] {
  return [section.heading, isEstimate ? `about ${total}` : String(total)];
}

function buildChart(sections: readonly Section[]): Block[] {
  if (sections.every(({ total }) => total === 0)) return [];
  const points: Point[] = sections.map(({ section, total }) => ({ label: section.heading, value: total }));
  return [{ kind: "chart", form: "bar", title: "Entries by subject", points }];
}

function buildLedgerBlocks({ ledger, checkpoints }: ComplianceFacts): Block[] {
  const { alarm, checked_at, tree_size, waiting, last_checkpoint_at } = ledger;
  const rows = checkpoints.map(({ tree_size: size, at, root_hash }) => [String(size), timeText(at), root_hash]);
  const columns = [
    { name: "Entries", weight: 12 },
    { name: "Signed", weight: 22 },
    { name: "Root of the tree", weight: 66, isCode: true },
  ];
  return [
    heading("State of the ledger"),
    facts(
      ["Alarm", alarm ?? "none"],
      ["Last checked", timeText(checked_at)],
      ["Entries under a checkpoint", String(tree_size)],
      ["Entries waiting for a checkpoint", String(waiting)],
      ["Last checkpoint", timeText(last_checkpoint_at)],
    ),
    table(columns, rows, { empty: "There is no checkpoint yet." }),
  ];
}

function buildSectionBlocks({ section, items, total }: Section): Block[] {
  const rows = items.map(({ at, actor, action, subject_id, details }) => [
    timeText(at),
    actor,
    `${action}\n${subject_id}`,
    detailsText(details),
  ]);
  const columns = [
    { name: "When", weight: 18 },
    { name: "By", weight: 17 },
    { name: "What", weight: 30 },
    { name: "Details", weight: 35 },
  ];
  return [heading(section.heading), table(columns, rows, { total, empty: "None in this period." })];
}

function detailsText(details: object): string {
  const text = Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("; ");
  return shorten(text, MAX_DETAILS_LENGTH);
}
