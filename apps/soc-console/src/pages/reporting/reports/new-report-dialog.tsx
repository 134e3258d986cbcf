import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { now } from "../../../app/browser/clock.ts";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { saveFile } from "../../../app/files/save-file.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { isPreview } from "../../../app/server/server.ts";
import { Markdown } from "../../../app/text/markdown.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { resolveRange, type TimeRange } from "../../../app/time/range.ts";
import { RangePicker } from "../../../app/time/range-picker.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SelectField } from "../../../design/field.tsx";
import { Notice } from "../../../design/states.tsx";
import {
  REPORT_FORMATS,
  REPORT_TYPES,
  type Report,
  type ReportRequest,
  readableText,
  reportKeys,
  toFile,
} from "./reports-client.ts";
import { reportsPhrases } from "./reports-phrases.ts";
import { useReportsClient } from "./use-reports-client.ts";

const DEFAULT_RANGE: TimeRange = { from: "-30d" };

interface ReportInput {
  kind: Report["report_type"];
  format: Report["format"];
  caseId: string;
  range: TimeRange;
}

function toRequest({ kind, format, caseId, range }: ReportInput): ReportRequest {
  if (kind === "investigation") return { report_type: kind, format, case_id: caseId };
  const { from, to } = resolveRange(range, now());
  return { report_type: kind, format, from: from.toISOString(), to: to.toISOString() };
}

/** Creates a report and opens it. dry_run stores nothing and shows the report directly. */
export function NewReportDialog({ onClose }: { onClose: () => void }) {
  const words = usePhrases(reportsPhrases);
  const form = useId();
  const mode = useMode();
  const client = useReportsClient();
  const { go } = useAddress();
  const { notify } = useNotices();
  const { send } = useChanges();
  const [isBusy, setIsBusy] = useState(false);
  const [preview, setPreview] = useState<Report>();
  const write = async (wanted: ReportInput) => {
    setIsBusy(true);
    const answer = await send(async () => {
      const written = await client.create(toRequest(wanted));
      return isPreview(written) ? { report: written.preview, isStored: false } : { report: written, isStored: true };
    }).finally(() => setIsBusy(false));
    if (!answer) return;
    if (!answer.isStored) return showPreview(answer.report);
    notify({ tone: "ok", text: words.created });
    onClose();
    go(`/reports/${encodeURIComponent(answer.report.id)}`);
  };
  const showPreview = (report: Report) => {
    if (report.format === "markdown") return setPreview(report);
    const file = toFile(report);
    saveFile(file.name, file.content);
  };
  return (
    <Dialog
      title={preview ? words.preview : words.createTitle}
      onClose={onClose}
      width={preview ? "l" : "m"}
      actions={
        <>
          <Button onClick={onClose}>{preview ? words.close : words.cancel}</Button>
          {!preview && (
            <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
              {mode === "dry_run" ? words.createPreview : words.create}
            </Button>
          )}
        </>
      }
    >
      {preview ? (
        <div className="reports-form">
          <Notice tone="waiting">{words.previewText}</Notice>
          <Markdown text={readableText(preview.content)} />
        </div>
      ) : (
        <ReportForm id={form} onWrite={(wanted) => void write(wanted)} />
      )}
    </Dialog>
  );
}

function ReportForm({ id, onWrite }: { id: string; onWrite: (wanted: ReportInput) => void }) {
  const words = usePhrases(reportsPhrases);
  const client = useReportsClient();
  const { search } = useAddress();
  const [kind, setKind] = useState<Report["report_type"]>("investigation");
  const [format, setFormat] = useState<Report["format"]>("markdown");
  const [caseId, setCaseId] = useState(search.case ?? "");
  const [range, setRange] = useState(DEFAULT_RANGE);
  const { data } = useQuery({
    queryKey: reportKeys.cases,
    queryFn: ({ signal }) => client.cases(signal),
    retry: false,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onWrite({ kind, format, caseId, range });
  };
  return (
    <form id={id} className="reports-form" onSubmit={submit}>
      <p className="soft">{words.createText}</p>
      <SelectField
        label={words.kind}
        hint={words.kindTexts[kind]}
        value={kind}
        onChange={setKind}
        options={REPORT_TYPES.map((value) => ({ value, label: words.kinds[value] }))}
      />
      {kind === "investigation" ? (
        <SelectField
          label={words.case}
          required
          value={caseId}
          onChange={setCaseId}
          options={[
            { value: "", label: words.chooseCase },
            ...(data?.items ?? []).map((record) => ({ value: record.id, label: safeText(record.title) })),
          ]}
        />
      ) : (
        <div className="reports-range">
          <span className="field-label">{words.range}</span>
          <RangePicker range={range} onChange={setRange} />
        </div>
      )}
      <SelectField
        label={words.format}
        hint={words.formatTexts[format]}
        value={format}
        onChange={setFormat}
        options={REPORT_FORMATS.map((value) => ({ value, label: words.formats[value] }))}
      />
    </form>
  );
}
