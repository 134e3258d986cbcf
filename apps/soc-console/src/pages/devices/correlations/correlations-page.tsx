import { ChevronLeft } from "lucide-react";
import { useCallback, useMemo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useChanges, withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Chip } from "../../../design/chip.tsx";
import { SelectField } from "../../../design/field.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { type Severity, SeveritySign } from "../../../design/severity.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { CaseLink } from "../../casework/cases/case-link.tsx";
import { CorrelationPane } from "./correlation-pane.tsx";
import { type Correlation, openCorrelationCase, readCorrelations } from "./correlations-client.ts";
import { correlationsPhrases } from "./correlations-phrases.ts";
import "./correlations.css";

export const CorrelationsPage = withChanges("cases:write", Correlations);

const SEVERITIES: readonly Severity[] = ["critical", "high", "medium", "low", "info"];
const readKey = ({ id }: Correlation) => id;

function useColumns(): ListColumn[] {
  const { columns: words } = usePhrases(correlationsPhrases);
  return useMemo(
    () => [
      { key: "severity", title: words.severity, width: "16px", isTitleHidden: true },
      { key: "reason", title: words.reason, width: "minmax(220px, 1fr)" },
      { key: "shared", title: words.shared, width: "minmax(120px, 220px)" },
      { key: "members", title: words.members, width: "64px", align: "end" },
      { key: "last", title: words.last, width: "110px" },
      { key: "case", title: words.case, width: "96px" },
    ],
    [words],
  );
}

function useRenderRow() {
  const words = usePhrases(correlationsPhrases);
  const { number } = useNumbers();
  const time = useTime();
  return useCallback(
    (item: Correlation) => (
      <>
        <SeveritySign severity={item.severity} label={words.severities[item.severity]} />
        <span className="list-title list-strong">
          <SafeText>{item.reason}</SafeText>
        </span>
        <span className="list-title soft">
          {item.entities[0] && <SafeText isMono>{item.entities[0].value}</SafeText>}
        </span>
        <span>{number(item.member_count)}</span>
        <span className="soft" title={time.dateTime(item.last_at)}>
          {time.relative(item.last_at)}
        </span>
        <span>{item.case_id !== null && <CaseLink record={{ id: item.case_id }} />}</span>
      </>
    ),
    [words, number, time],
  );
}

/** `m` creates a case for a correlation without one. */
function useMakeCase(reload: () => void): (item: Correlation) => readonly Command[] {
  const words = usePhrases(correlationsPhrases);
  const { server } = useApp();
  const { go } = useAddress();
  const { mayWrite, reason, send } = useChanges();
  const { notify } = useNotices();
  const isDry = useMode() === "dry_run";
  const make = async (item: Correlation) => {
    const opened = await send(() => openCorrelationCase(server, item.id));
    if (!opened) return;
    notify({ tone: "ok", text: words.caseMade });
    reload();
    go(`/cases/${opened.id}`);
  };
  return (item) =>
    mayWrite && item.case_id === null
      ? [
          {
            id: "correlations.case",
            label: isDry ? words.previewCase : words.makeCase,
            group: words.group,
            keys: ["m"],
            isEnabled: reason === undefined,
            reason,
            isInStatusLine: true,
            run: () => make(item),
          },
        ]
      : [];
}

function Correlations() {
  const words = usePhrases(correlationsPhrases);
  const { server } = useApp();
  const { search, change } = useAddress();
  const { severity, device_id, alert_id } = search;
  const pages = useRecordPages<Correlation>("correlations", { severity, device_id, alert_id }, (query, signal) =>
    readCorrelations(server, query, signal),
  );
  const build = useMakeCase(pages.reload);
  const isFiltered = [severity, device_id, alert_id].some((value) => value !== undefined);
  const clear = () => change({ severity: undefined, device_id: undefined, alert_id: undefined });
  return (
    <Page
      title={words.title}
      isFull
      back={
        <Link to="/devices" className="correlations-back" title={words.back} activeOptions={{ exact: true }}>
          <ChevronLeft aria-hidden="true" />
          {words.back}
        </Link>
      }
      tools={
        <SelectField
          label={words.columns.severity}
          isLabelHidden
          value={severity ?? ""}
          onChange={(value) => change({ severity: value })}
          options={[
            { value: "", label: words.anySeverity },
            ...SEVERITIES.map((value) => ({ value, label: words.severities[value] })),
          ]}
        />
      }
    >
      {device_id !== undefined && (
        <p className="correlations-filter">
          <Chip
            field="device"
            value={safeText(device_id)}
            onRemove={() => change({ device_id: undefined })}
            removeLabel={words.forDevice}
          />
        </p>
      )}
      <RecordList
        label={words.title}
        noun="correlations"
        events="correlation."
        columns={useColumns()}
        pages={pages}
        rowKey={readKey}
        renderRow={useRenderRow()}
        rowName={({ reason }) => safeText(reason)}
        rowCommands={build}
        renderPane={(item) => <CorrelationPane correlation={item} commands={build(item)} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={isFiltered ? clear : undefined}
      />
    </Page>
  );
}
