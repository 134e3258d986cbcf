import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import type { Period, PeriodFacts } from "../stats/period.ts";
import {
  type Block,
  facts,
  heading,
  minutesText,
  type Point,
  paragraph,
  type ReportDocument,
  SEVERITY_COLORS,
  table,
  timeText,
} from "./report-document.ts";

export interface ExecutiveFacts {
  period: Period;
  now: PeriodFacts;
  /** The previous period of the same length, for comparison. */
  before: PeriodFacts;
}

type ReportOrigin = Pick<ReportDocument, "made_at" | "made_by">;

export function buildExecutiveReport({ period, now, before }: ExecutiveFacts, made: ReportOrigin): ReportDocument {
  return {
    ...made,
    title: "Security operations: executive report",
    report_type: "executive",
    subject: periodText(period),
    blocks: [
      heading("Summary"),
      paragraph(shortText(now, before)),
      facts(
        ["Alerts", changeText(now.alerts.total, before.alerts.total)],
        ["Critical or high severity", changeText(countSevere(now), countSevere(before))],
        ["Cases opened", changeText(now.cases.opened, before.cases.opened)],
        ["Cases closed", changeText(now.cases.closed, before.cases.closed)],
        ["Mean time to acknowledge", `${minutesText(now.mtta_minutes)}; before: ${minutesText(before.mtta_minutes)}`],
        ["Mean time to resolve", `${minutesText(now.mttr_minutes)}; before: ${minutesText(before.mttr_minutes)}`],
      ),
      heading("Alerts"),
      ...buildTrendBlocks(now),
      { kind: "chart", form: "donut", title: "By severity", points: severityPoints(now) },
      { kind: "chart", form: "bar", title: "By status", points: toPoints(now.alerts.by_status) },
      heading("Where alerts come from"),
      ...buildSourceBlocks(now),
      heading("Open risks"),
      ...buildRiskBlocks(now),
      heading("Method"),
      paragraph(
        "Alerts are counted by creation time. The mean times cover the alerts of the period that were " +
          "acknowledged or resolved by now. Open risks are cases of high or critical severity that are neither " +
          "resolved nor closed at the time of this report.",
      ),
    ],
    ledger_bundle: null,
  };
}

export function periodText({ from, to }: Period): string {
  return `${timeText(from)} to ${timeText(to)}`;
}

function shortText(now: PeriodFacts, before: PeriodFacts): string {
  const trend =
    now.alerts.total === before.alerts.total
      ? "as many as"
      : now.alerts.total > before.alerts.total
        ? "more than"
        : "fewer than";
  const risks = now.open_risks.total;
  return (
    `${now.alerts.total} alerts were created, ${trend} in the period before. ${countSevere(now)} of them were critical or high. ` +
    `${now.cases.opened} cases were opened and ${now.cases.closed} closed. ` +
    (risks === 0
      ? "No case of high or critical severity is open."
      : `${risks} cases of high or critical severity are open.`)
  );
}

function changeText(now: number, before: number): string {
  if (before === 0) return `${now}; before: 0`;
  const change = Math.round((100 * (now - before)) / before);
  return `${now}; before: ${before} (${change > 0 ? "+" : ""}${change} %)`;
}

function countSevere({ alerts: { by_severity } }: PeriodFacts): number {
  return by_severity.critical + by_severity.high;
}

function buildTrendBlocks({ days }: PeriodFacts): Block[] {
  const points = days.map(({ day, count }) => ({ label: day.toISOString().slice(5, 10), value: count }));
  return points.length < 2 ? [] : [{ kind: "chart", form: "line", title: "Per day", points }];
}

function severityPoints({ alerts: { by_severity } }: PeriodFacts): Point[] {
  return SEVERITIES.map((severity) => ({
    label: severity,
    value: by_severity[severity],
    ...(SEVERITY_COLORS[severity] && { color: SEVERITY_COLORS[severity] }),
  }));
}

function toPoints(counts: Readonly<Record<string, number>>): Point[] {
  return Object.entries(counts).map(([label, value]) => ({ label, value }));
}

function buildSourceBlocks({ top_sources }: PeriodFacts): Block[] {
  if (top_sources.length === 0) return [paragraph("No alert was created.")];
  const points = top_sources.map(({ source, count }) => ({ label: source, value: count }));
  return [{ kind: "chart", form: "bar", title: "Sources with the most alerts", points }];
}

function buildRiskBlocks({ open_risks }: PeriodFacts): Block[] {
  const rows = open_risks.cases.map(({ title, severity, status, assignee, created_at, due_at }) => [
    title,
    severity,
    status,
    assignee ?? "unassigned",
    `${timeText(created_at)}${due_at ? `\ndue ${timeText(due_at)}` : ""}`,
  ]);
  const columns = [
    { name: "Case", weight: 30 },
    { name: "Severity", weight: 10 },
    { name: "Status", weight: 16 },
    { name: "Assignee", weight: 28 },
    { name: "Opened", weight: 16 },
  ];
  return [table(columns, rows, { total: open_risks.total, empty: "No case of high or critical severity is open." })];
}
