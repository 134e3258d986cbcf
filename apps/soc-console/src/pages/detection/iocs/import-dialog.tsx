import { useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Checkbox, TextField } from "../../../design/field.tsx";
import { type ImportResult as Imported, importIocs } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";
import { findFormat } from "./new-iocs.ts";

export interface ImportDialogProps {
  onClose: () => void;
  onImported: () => void;
}

const HEAD_BYTES = 65_536;

/** Imports a STIX bundle or MISP events, and lists every object that was rejected. */
export function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const words = usePhrases(iocsPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const isDry = useMode() === "dry_run";
  const [file, setFile] = useState<File>();
  const [isForced, setIsForced] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [imported, setImported] = useState<Imported>();
  const run = async () => {
    if (!file) return;
    setIsBusy(true);
    const format = findFormat(await file.slice(0, HEAD_BYTES).text());
    const json = new Blob([file], { type: "application/json" });
    setImported(await send(() => importIocs(server, format, json, isForced)));
    setIsBusy(false);
    onImported();
  };
  return (
    <Dialog
      title={words.importTitle}
      onClose={onClose}
      actions={
        imported ? (
          <Button onClick={onClose}>{words.close}</Button>
        ) : (
          <Button kind="primary" isBusy={isBusy} disabled={!file} onClick={() => void run()}>
            {isDry ? words.previewImport : words.import}
          </Button>
        )
      }
    >
      {imported ? (
        <ImportResult imported={imported} />
      ) : (
        <div className="iocs-form">
          <p className="soft">{words.importText}</p>
          <TextField
            type="file"
            label={words.file}
            accept=".json,application/json"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
          <Checkbox label={words.alsoWarned} checked={isForced} onChange={setIsForced} />
        </div>
      )}
    </Dialog>
  );
}

function ImportResult({ imported: { created, merged, refused } }: { imported: Imported }) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const parts = [
    numbers.count(created, words.created),
    numbers.count(merged, words.merged),
    numbers.count(refused.length, words.refused),
  ];
  return (
    <div className="iocs-form" role="status">
      <p>{parts.join(" · ")}</p>
      {refused.length > 0 && (
        <ul className="iocs-refused" aria-label={words.refusedList}>
          {refused.map(({ object, id, reason }) => (
            <li key={object}>
              <SafeText isMono>{id === "" ? `#${object + 1}` : id}</SafeText>
              <SafeText>{reason}</SafeText>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
