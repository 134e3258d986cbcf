import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { saveFile } from "../../../../app/files/save-file.ts";
import { fill, isolated, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { FailedPart } from "../../../../app/page/page.tsx";
import { isPreview } from "../../../../app/server/server.ts";
import { Markdown } from "../../../../app/text/markdown.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { SelectField } from "../../../../design/field.tsx";
import { Menu } from "../../../../design/menu.tsx";
import { EmptyState, Skeleton } from "../../../../design/states.tsx";
import {
  createReportsClient,
  REPORT_FORMATS,
  type Report,
  readableText,
  reportKeys,
  toFile,
} from "../../../reporting/reports/reports-client.ts";
import { type CasePage, caseKeys } from "../cases-client.ts";
import { reportPhrases } from "./report-phrases.ts";

/** Creates reports, and tracks which one is shown: the new one, the selected one, or the newest. */
function useReport(page: CasePage) {
  const { server } = useApp();
  const queries = useQueryClient();
  const { send } = useChanges();
  const client = useMemo(() => createReportsClient(server), [server]);
  const shownReports = (page.reports ?? []).filter(({ format }) => format === "markdown");
  const [written, setWritten] = useState<Report>();
  const [chosen, setChosen] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const id = chosen ?? written?.id ?? shownReports[0]?.id;
  const mayRead = useMay("reports:read");
  const query = useQuery({
    queryKey: reportKeys.one(id),
    queryFn: ({ signal }) => client.one(id ?? "", signal),
    enabled: id !== undefined && id !== written?.id && mayRead,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const write = async (format: Report["format"]) => {
    setIsBusy(true);
    const report = await send(async () => {
      const answer = await client.create({ report_type: "investigation", case_id: page.case.id, format });
      // dry_run stores nothing, but returns the report itself.
      return isPreview(answer) ? answer.preview : answer;
    }).finally(() => setIsBusy(false));
    if (!report) return;
    if (format === "markdown") {
      setChosen(undefined);
      setWritten(report);
    } else {
      const file = toFile(report);
      saveFile(file.name, file.content);
    }
    void queries.invalidateQueries({ queryKey: caseKeys.one(page.case.id), exact: true });
  };
  const report = id === written?.id ? written : query.data;
  return { ...query, report, shownReports, mayRead, isBusy, write, choose: setChosen };
}

export function ReportTab({ page }: { page: CasePage }) {
  const words = usePhrases(reportPhrases);
  const time = useTime();
  const mode = useMode();
  const { mayWrite, reason } = useChanges();
  const { report, shownReports, mayRead, error, isFetching, isBusy, refetch, write, choose } = useReport(page);
  const verb = report ? words.writeAgain : words.write;
  return (
    <div className="case-report">
      <div className="cases-bar case-report-bar">
        {mayWrite && (
          <Button
            kind={report ? "plain" : "primary"}
            isBusy={isBusy}
            disabled={reason !== undefined}
            title={reason}
            onClick={() => void write("markdown")}
          >
            {mode === "dry_run" ? words.writePreview : verb}
          </Button>
        )}
        {mayWrite && reason === undefined && (
          <Menu
            label={words.downloadAs}
            trigger={words.downloadAs}
            items={REPORT_FORMATS.map((format) => ({
              label: words.formats[format],
              onSelect: () => {
                if (format !== "markdown" || !report) return void write(format);
                const file = toFile(report);
                saveFile(file.name, file.content);
              },
            }))}
          />
        )}
        {report && <Button onClick={() => print()}>{words.print}</Button>}
        {shownReports.length > 1 && (
          <SelectField
            label={words.earlier}
            isLabelHidden
            value={report?.id ?? ""}
            onChange={choose}
            options={shownReports.map(({ id, created_by, created_at }) => ({
              value: id,
              label: fill(words.by, { name: isolated(created_by), time: time.dateTime(created_at) }),
            }))}
          />
        )}
      </div>
      {error && !report && <FailedPart error={error} onRetry={() => void refetch()} />}
      {!report && isFetching && <Skeleton rows={10} />}
      {!report && !isFetching && !error && (
        <EmptyState title={words.empty} text={mayRead ? words.emptyText : words.mayNot} />
      )}
      {report && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
        <article className="case-report-text" aria-label={words.report} tabIndex={0}>
          <Markdown text={readableText(report.content)} />
        </article>
      )}
    </div>
  );
}
