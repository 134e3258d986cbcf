import { useCallback, useMemo, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { FilterLine, FilterSelect } from "../../../app/lists/filter-line.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { Facts } from "../../../design/panel.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { NewReportDialog } from "./new-report-dialog.tsx";
import { ReportCells } from "./report-row.tsx";
import { REPORT_FORMATS, REPORT_TYPES, type ReportSummary } from "./reports-client.ts";
import { reportsPhrases } from "./reports-phrases.ts";
import { useReportFiles, useReportsClient } from "./use-reports-client.ts";
import "./reports.css";

export const ReportsPage = withChanges("cases:write", Reports);

const readKey = ({ id }: ReportSummary) => id;

function Reports() {
  const words = usePhrases(reportsPhrases);
  const mode = useMode();
  const [isWriting, setIsWriting] = useState(false);
  const verb = mode === "dry_run" ? words.createPreview : words.create;
  const tools = useMainCommand({ id: "reports.new", label: verb, group: words.title, run: () => setIsWriting(true) });
  return (
    <Page title={words.title} isFull tools={tools}>
      <ReportsFilter />
      <ReportsList />
      {isWriting && <NewReportDialog onClose={() => setIsWriting(false)} />}
    </Page>
  );
}

function ReportsFilter() {
  const words = usePhrases(reportsPhrases);
  return (
    <FilterLine>
      <FilterSelect
        name="kind"
        label={words.kind}
        any={words.anyKind}
        options={REPORT_TYPES.map((value) => ({ value, label: words.kinds[value] }))}
      />
      <FilterSelect
        name="format"
        label={words.format}
        any={words.anyFormat}
        options={REPORT_FORMATS.map((value) => ({ value, label: words.formats[value] }))}
      />
    </FilterLine>
  );
}

function ReportsList() {
  const words = usePhrases(reportsPhrases);
  const time = useTime();
  const client = useReportsClient();
  const { search, change, go } = useAddress();
  const query = {
    report_type: REPORT_TYPES.find((kind) => kind === search.kind),
    format: REPORT_FORMATS.find((format) => format === search.format),
    case_id: search.case,
  };
  const pages = useRecordPages<ReportSummary>("reports", query, client.list);
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "title", title: words.name, width: "minmax(180px, 1fr)" },
      { key: "kind", title: words.kind, width: "110px" },
      { key: "format", title: words.format, width: "84px" },
      { key: "by", title: words.by, width: "130px" },
      { key: "at", title: words.at, width: "164px" },
    ],
    [words],
  );
  const render = useCallback(
    (report: ReportSummary) =>
      ReportCells(
        report,
        { kind: words.kinds[report.report_type], format: words.formats[report.format] },
        time.dateTime(report.created_at),
      ),
    [words, time],
  );
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <RecordList
      label={words.title}
      noun="reports"
      events="report."
      columns={columns}
      pages={pages}
      rowKey={readKey}
      renderRow={render}
      rowName={({ title }) => safeText(title)}
      onOpen={(id) => go(`/reports/${encodeURIComponent(id)}`)}
      renderPane={(report) => <ReportPane report={report} />}
      empty={<EmptyState title={words.empty} text={words.emptyText} />}
      onClearFilter={isFiltered ? () => change({ kind: "", format: "", case: "" }) : undefined}
    />
  );
}

/** A report in the pane, rendered from its row without a request. */
function ReportPane({ report }: { report: ReportSummary }) {
  const words = usePhrases(reportsPhrases);
  const time = useTime();
  const files = useReportFiles();
  return (
    <div className="reports-pane">
      <h2 className="reports-pane-title">
        <Link to={`/reports/${encodeURIComponent(report.id)}`}>
          <SafeText>{report.title}</SafeText>
        </Link>
      </h2>
      <p className="soft">{words.kindTexts[report.report_type]}</p>
      <Facts
        items={[
          { label: words.kind, value: words.kinds[report.report_type] },
          { label: words.format, value: words.formats[report.format] },
          { label: words.by, value: <SafeText>{report.created_by}</SafeText> },
          { label: words.at, value: <span className="mono">{time.dateTime(report.created_at)}</span> },
        ]}
      />
      <div className="reports-bar">
        <Button onClick={() => void files.download(report)}>{words.download}</Button>
        {report.case_id !== null && <Link to={`/cases/${report.case_id}`}>{words.openCase}</Link>}
      </div>
    </div>
  );
}
