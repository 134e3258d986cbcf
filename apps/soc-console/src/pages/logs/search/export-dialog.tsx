import { useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SelectField } from "../../../design/field.tsx";
import { type ExportWish, exportAddress } from "./search-client.ts";
import { searchPhrases } from "./search-phrases.ts";
import type { HuntRun } from "./use-hunt-run.ts";

const FORMATS = [
  { value: "ndjson", label: "NDJSON" },
  { value: "csv", label: "CSV" },
] as const;
const LIMITS = ["1000", "10000", "100000", "1000000"] as const;

/** Shows the number of logs before the download, and whether the file is complete. */
export function ExportDialog({ run, onClose }: { run: HuntRun; onClose: () => void }) {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { session } = useApp();
  const [format, setFormat] = useState<ExportWish["format"]>("ndjson");
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>("100000");
  const hasCookie = session.readToken() === undefined;
  const { total } = run.rows;
  const most = Number(limit);
  const counts = { total: total ?? 0, limit: most };
  const meaning =
    total === undefined
      ? words.exportUnknown
      : total > most || run.isAtLeast
        ? fill(run.isAtLeast ? words.exportAtLeast : words.exportCut, counts)
        : fill(words.exportComplete, counts);
  return (
    <Dialog
      onClose={onClose}
      title={words.exportTitle}
      width="s"
      actions={
        hasCookie && (
          <a
            className="button button-primary"
            href={exportAddress(run.search, { format, limit: most })}
            download
            onClick={onClose}
          >
            {words.download}
          </a>
        )
      }
    >
      <div className="search-form">
        <SelectField label={words.format} options={FORMATS} value={format} onChange={setFormat} />
        <SelectField
          label={words.exportLimit}
          options={LIMITS.map((value) => ({ value, label: number(Number(value)) }))}
          value={limit}
          onChange={setLimit}
        />
        <p role="status">{meaning}</p>
        {format === "csv" && <p className="search-hint">{words.csvHint}</p>}
        {!hasCookie && <p className="search-partial">{words.exportNeedsCookie}</p>}
      </div>
    </Dialog>
  );
}
