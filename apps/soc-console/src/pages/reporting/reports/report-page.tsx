import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useChanges, withChanges } from "../../../app/changes/use-changes.tsx";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { Markdown } from "../../../app/text/markdown.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { EmptyState, Skeleton } from "../../../design/states.tsx";
import { type Report, readableText, reportKeys, withoutTitle } from "./reports-client.ts";
import { reportsPhrases } from "./reports-phrases.ts";
import { useReportFiles, useReportsClient } from "./use-reports-client.ts";
import "./reports.css";

export const ReportPage = withChanges("cases:delete", OneReport);

function OneReport() {
  const words = usePhrases(reportsPhrases);
  const client = useReportsClient();
  const { params } = useAddress();
  const id = params.id ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: reportKeys.one(id),
    queryFn: ({ signal }) => client.one(id, signal),
    // A report never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <Page
      title={data ? safeText(data.title) : words.title}
      back={
        <Link to="/reports" className="reports-back" title={words.back} activeOptions={{ exact: true }}>
          <ChevronLeft size={16} aria-hidden="true" />
          <span className="screen-reader-only">{words.back}</span>
        </Link>
      }
      tools={data && <ReportTools report={data} />}
    >
      {isMissing && <EmptyState title={words.notFound} text={words.notFoundText} />}
      {error && !isMissing && <FailedPart error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={12} />}
      {data && <ReportText report={data} />}
    </Page>
  );
}

function ReportTools({ report }: { report: Report }) {
  const words = usePhrases(reportsPhrases);
  const files = useReportFiles();
  const isReadable = report.format === "markdown";
  const { case_id } = report;
  const download = () => files.download(report);
  useCommands([
    { id: "report.download", label: words.download, group: words.title, keys: ["d"], run: download },
    ...(isReadable
      ? [{ id: "report.print", label: words.print, group: words.title, keys: ["mod+p"], run: () => print() }]
      : []),
  ]);
  return (
    <>
      {isReadable && <Button onClick={() => print()}>{words.print}</Button>}
      <Button keys={["D"]} onClick={() => void download()}>
        {words.download}
      </Button>
      {case_id !== null && (
        <Button title={words.bundleText} onClick={() => void files.bundle(case_id)}>
          {words.bundle}
        </Button>
      )}
      <RemoveReport report={report} />
    </>
  );
}

function RemoveReport({ report }: { report: Report }) {
  const words = usePhrases(reportsPhrases);
  const client = useReportsClient();
  const { go } = useAddress();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  if (!mayWrite) return null;
  const remove = async () => {
    setIsBusy(true);
    const removed = await send(() => client.remove(report.id)).finally(() => setIsBusy(false));
    setIsAsking(false);
    if (!removed) return;
    notify({ tone: "ok", text: words.removed });
    go("/reports");
  };
  return (
    <>
      <Button kind="danger" disabled={reason !== undefined} title={reason} onClick={() => setIsAsking(true)}>
        {words.remove}
      </Button>
      <Dialog
        title={words.removeTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        width="s"
        actions={
          <>
            <Button onClick={() => setIsAsking(false)}>{words.cancel}</Button>
            <Button kind="danger" isBusy={isBusy} onClick={() => void remove()}>
              {words.remove}
            </Button>
          </>
        }
      >
        <p>{words.removeText}</p>
      </Dialog>
    </>
  );
}

function ReportText({ report }: { report: Report }) {
  const words = usePhrases(reportsPhrases);
  const time = useTime();
  return (
    <>
      <p className="reports-line">
        <span>{words.kinds[report.report_type]}</span>
        <span>{words.formats[report.format]}</span>
        <SafeText>{report.created_by}</SafeText>
        <span title={time.iso(report.created_at)}>{time.dateTime(report.created_at)}</span>
        {report.case_id !== null && <Link to={`/cases/${report.case_id}`}>{words.openCase}</Link>}
      </p>
      {report.format === "markdown" ? (
        <article className="reports-text" aria-label={words.title}>
          <Markdown text={withoutTitle(readableText(report.content))} />
        </article>
      ) : (
        <EmptyState title={words.notShown} text={words.notShownText} />
      )}
      {report.case_id !== null && <p className="soft">{words.notSigned}</p>}
    </>
  );
}
