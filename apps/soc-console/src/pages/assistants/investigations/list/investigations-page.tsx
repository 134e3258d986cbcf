import { useCallback, useMemo } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useApp } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { FilterLine, FilterSelect } from "../../../../app/lists/filter-line.tsx";
import { RecordList, useRecordPages } from "../../../../app/lists/record-list.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Chip } from "../../../../design/chip.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { Facts } from "../../../../design/panel.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { AssistantsTabs } from "../assistants-tabs-link.tsx";
import { InvestigationCells, readHeadline } from "../investigation-row.tsx";
import { createInvestigationsClient, type Investigation, STATUSES, VERDICTS } from "../investigations-client.ts";
import { investigationsPhrases } from "../investigations-phrases.ts";
import { StartInvestigation } from "../start/start-link.tsx";
import { InvestigationStatus, VerdictSign } from "../verdict-sign.tsx";
import "../investigations.css";

const readKey = (record: Investigation) => record.investigation_id;

function useColumns(): ListColumn[] {
  const words = usePhrases(investigationsPhrases);
  return useMemo(
    () => [
      { key: "severity", title: words.severity, width: "16px", isTitleHidden: true },
      { key: "summary", title: words.summary, width: "minmax(180px, 1fr)" },
      { key: "verdict", title: words.verdict, width: "136px" },
      { key: "status", title: words.status, width: "104px" },
      { key: "requested", title: words.requestedBy, width: "minmax(0, 150px)" },
      { key: "at", title: words.at, width: "164px" },
    ],
    [words],
  );
}

/** The filter from the address. Invalid values are ignored. */
function readFilter(search: Readonly<Record<string, string>>) {
  return {
    status: STATUSES.find((one) => one === search.status),
    verdict: VERDICTS.find((one) => one === search.verdict),
    agent_id: search.agent,
    alert_id: search.alert,
  };
}

export function InvestigationsPage() {
  const words = usePhrases(investigationsPhrases);
  const time = useTime();
  const { server } = useApp();
  const { search, change, go } = useAddress();
  const client = useMemo(() => createInvestigationsClient(server), [server]);
  const filter = readFilter(search);
  const pages = useRecordPages("investigations", filter, client.list);
  const columns = useColumns();
  const open = useCallback((key: string) => go(`/agents/investigations/${key}`), [go]);
  const render = useCallback(
    (record: Investigation) =>
      InvestigationCells(record, {
        severity: words.severities[record.severity],
        headline: readHeadline(record, words),
        at: time.dateTime(record.created_at),
      }),
    [words, time],
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page
      title={words.investigations}
      isFull
      tabs={<AssistantsTabs current="investigations" />}
      tools={<StartInvestigation />}
    >
      <InvestigationsFilter />
      <RecordList
        label={words.investigations}
        noun="investigations"
        events="investigation."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(record) => safeText(readHeadline(record, words))}
        onOpen={open}
        renderPane={(record) => <InvestigationPane record={record} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={
          isFiltered
            ? () => change({ status: undefined, verdict: undefined, agent: undefined, alert: undefined })
            : undefined
        }
      />
    </Page>
  );
}

function InvestigationsFilter() {
  const words = usePhrases(investigationsPhrases);
  const { search, change } = useAddress();
  return (
    <FilterLine>
      <FilterSelect
        name="status"
        label={words.status}
        any={words.anyStatus}
        options={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
      />
      <FilterSelect
        name="verdict"
        label={words.verdict}
        any={words.anyVerdict}
        options={VERDICTS.map((value) => ({ value, label: words.verdicts[value] }))}
      />
      {(["agent", "alert"] as const).map((name) => {
        const value = search[name];
        return (
          value !== undefined && (
            <Chip
              key={name}
              field={words[name]}
              value={<SafeText isMono>{value}</SafeText>}
              removeLabel={words.removeFilter}
              onRemove={() => change({ [name]: undefined })}
            />
          )
        );
      })}
    </FilterLine>
  );
}

/** An investigation in the pane, rendered from its row without a request. */
function InvestigationPane({ record }: { record: Investigation }) {
  const words = usePhrases(investigationsPhrases);
  const time = useTime();
  const { started_at: started, ended_at: ended } = record;
  return (
    <div className="investigations-pane">
      <div className="investigations-pane-head">
        <VerdictSign record={record} />
        <InvestigationStatus status={record.status} />
      </div>
      <p>
        <SafeText>{readHeadline(record, words)}</SafeText>
      </p>
      {record.recommended_actions.length > 0 && (
        <section>
          <strong>{words.recommended}</strong>
          <ul>
            {record.recommended_actions.map((action, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an agent may repeat a sentence.
              <li key={at}>
                <SafeText>{action}</SafeText>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Facts
        items={[
          { label: words.requestedBy, value: <SafeText>{record.requested_by}</SafeText> },
          { label: words.at, value: <span className="mono">{time.dateTime(record.created_at)}</span> },
          ...(started !== null && ended !== null
            ? [{ label: words.took, value: time.duration(Date.parse(ended) - Date.parse(started)) }]
            : []),
          {
            label: words.agents,
            value: <bdi dir="ltr">{record.agents.map(({ name }) => name.replace(/Agent$/, "")).join(", ")}</bdi>,
          },
        ]}
      />
      <Link to={`/agents/investigations/${record.investigation_id}`}>{words.open}</Link>
    </div>
  );
}
