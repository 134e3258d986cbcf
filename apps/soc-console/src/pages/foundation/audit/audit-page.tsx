import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { FilterLine, FilterSearch, FilterText } from "../../../app/lists/filter-line.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { readRange, resolveRange, type TimeRange } from "../../../app/time/range.ts";
import { RangePicker } from "../../../app/time/range-picker.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import { type AuditEntry, listAudit } from "./audit-client.ts";
import { readDetails, summarize } from "./audit-details.ts";
import { AuditPane } from "./audit-pane.tsx";
import { auditPhrases } from "./audit-phrases.ts";
import { ExportDialog } from "./export-dialog.tsx";
import "./audit.css";

const DEFAULT_RANGE: TimeRange = { from: "-30d" };
const RANGE_BUTTON = "audit-range";
/** The filters by their names in the address and in the API. */
const FILTERS = { actor: "actor", action: "action", type: "subject_type", subject: "subject_id" } as const;

const readKey = ({ id }: AuditEntry) => id;

/** The filter in the address. Relative ranges are resolved at the time when they were chosen. */
function useAuditQuery() {
  const { search } = useAddress();
  const { from, to } = search;
  const range = useMemo(() => readRange({ from, to }, now()) ?? DEFAULT_RANGE, [from, to]);
  const span = useMemo(() => resolveRange(range, now()), [range]);
  const filter = Object.entries(FILTERS).map(([name, field]) => [field, search[name] || undefined] as const);
  const isFiltered = filter.some(([, value]) => value !== undefined);
  const query = {
    ...Object.fromEntries(filter),
    from: span.from.toISOString(),
    // A range up to now has no end, so that later entries appear.
    to: range.to === undefined ? undefined : span.to.toISOString(),
  };
  return { range, query, isFiltered };
}

/** Who changed what, and when. */
export function AuditPage() {
  const words = usePhrases(auditPhrases);
  const time = useTime();
  const { server } = useApp();
  const { change } = useAddress();
  const { range, query, isFiltered } = useAuditQuery();
  const [isExporting, setIsExporting] = useState(false);
  const pages = useRecordPages<AuditEntry>("audit", query, (asked, signal) => listAudit(server, asked, signal));
  const render = useCallback((entry: AuditEntry) => AuditCells(entry, time.dateTime(entry.at)), [time]);
  useCommands([
    { id: "audit.export", label: words.export, group: words.title, keys: ["e"], run: () => setIsExporting(true) },
    {
      id: "audit.range",
      label: words.range,
      group: words.title,
      keys: ["t"],
      run: () => document.getElementById(RANGE_BUTTON)?.click(),
    },
  ]);
  return (
    <Page
      title={words.title}
      isFull
      tools={
        <>
          <RangePicker id={RANGE_BUTTON} range={range} onChange={({ from, to }) => change({ from, to })} />
          <Button kind="ghost" title={words.zone} onClick={time.toggleZone}>
            {time.zoneLabel}
          </Button>
          <Button keys={["E"]} onClick={() => setIsExporting(true)}>
            {words.export}
          </Button>
        </>
      }
    >
      <AuditFilterBar />
      <RecordList
        label={words.title}
        noun="audit"
        events=""
        columns={useColumns()}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(entry) => safeText(entry.action)}
        renderPane={(entry) => <AuditPane entry={entry} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={
          isFiltered ? () => change({ actor: "", action: "", type: "", subject: "", pane: undefined }) : undefined
        }
      />
      {isExporting && <ExportDialog query={query} total={pages.total} onClose={() => setIsExporting(false)} />}
    </Page>
  );
}

function useColumns(): ListColumn[] {
  const words = usePhrases(auditPhrases);
  return useMemo(
    () => [
      { key: "at", title: words.at, width: "164px" },
      { key: "actor", title: words.actor, width: "minmax(100px, 150px)" },
      { key: "action", title: words.action.split(/[,،]/, 1)[0] ?? "", width: "minmax(130px, 200px)" },
      { key: "subject", title: words.subject, width: "minmax(120px, 1fr)" },
      { key: "what", title: words.what, width: "minmax(140px, 2fr)" },
    ],
    [words],
  );
}

const AuditCells = (entry: AuditEntry, at: string) => (
  <>
    <span className="list-mono">{at}</span>
    <span className="list-title">
      <SafeText>{entry.actor}</SafeText>
    </span>
    <span className="list-title list-mono">
      <SafeText isMono>{entry.action}</SafeText>
    </span>
    <span className="list-title soft">
      <SafeText isMono>{`${entry.subject_type} ${entry.subject_id}`}</SafeText>
    </span>
    <span className="list-title soft">
      <SafeText>{summarize(readDetails(entry.details))}</SafeText>
    </span>
  </>
);

function AuditFilterBar() {
  const words = usePhrases(auditPhrases);
  return (
    <FilterLine>
      <FilterSearch
        name="actor"
        label={words.actor}
        spellCheck={false}
        command={{ id: "audit.filter", label: words.filter, group: words.title }}
      />
      <FilterText name="action" label={words.action} spellCheck={false} />
      <FilterText name="type" label={words.subjectType} spellCheck={false} />
      <FilterText name="subject" label={words.subjectId} spellCheck={false} />
    </FilterLine>
  );
}
