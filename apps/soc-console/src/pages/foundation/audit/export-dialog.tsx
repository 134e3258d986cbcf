import { useState } from "react";
import { now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { saveFile } from "../../../app/files/save-file.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import type { QueryValue } from "../../../app/server/server.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SelectField } from "../../../design/field.tsx";
import { type ExportFormat, exportAudit } from "./audit-client.ts";
import { auditPhrases } from "./audit-phrases.ts";

const FORMATS: readonly ExportFormat[] = ["ndjson", "csv"];

export interface ExportDialogProps {
  query: Readonly<Record<string, QueryValue>>;
  total: number | undefined;
  onClose: () => void;
}

/** Shows the number of entries before the download. */
export function ExportDialog({ query, total, onClose }: ExportDialogProps) {
  const words = usePhrases(auditPhrases);
  const { server } = useApp();
  const [format, setFormat] = useState<ExportFormat>("ndjson");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const download = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      saveFile(`audit-${now().toISOString().slice(0, 10)}.${format}`, await exportAudit(server, query, format));
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      onClose={onClose}
      title={words.exportTitle}
      width="s"
      actions={
        <Button kind="primary" isBusy={isBusy} onClick={() => void download()}>
          {words.download}
        </Button>
      }
    >
      <div className="audit-export">
        <SelectField
          label={words.format}
          options={FORMATS.map((value) => ({ value, label: words.formats[value] }))}
          value={format}
          onChange={setFormat}
        />
        <p role="status">{isBusy ? words.downloading : countWords(words, total)}</p>
        <p className="soft">{words.exportRecorded}</p>
        {format === "csv" && <p className="soft">{words.csvHint}</p>}
        {error !== undefined && <FailedPart title={words.failed} error={error} />}
      </div>
    </Dialog>
  );
}

function countWords(words: { exportAll: string; exportUnknown: string }, total: number | undefined): string {
  return total === undefined ? words.exportUnknown : fill(words.exportAll, { total });
}
