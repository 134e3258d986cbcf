import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { ChangesProvider } from "../../../app/changes/use-changes.tsx";
import { useMay } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import type { Run, RunStatus } from "../../../app/playbooks/playbooks-client.ts";
import { playbooksPhrases } from "../../../app/playbooks/playbooks-phrases.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { useNow, useTime } from "../../../app/time/time-context.tsx";
import { SelectField } from "../../../design/field.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { InForceList } from "./in-force-list.tsx";
import { RunCells, RunPane } from "./run-row.tsx";
import { runKeys } from "./runs-client.ts";
import { runsPhrases } from "./runs-phrases.ts";
import { useRunsClient } from "./use-run.ts";
import "./runs.css";

const NOW_MS = 10_000;
const IN_FORCE = "in-force";
const STATUSES: readonly RunStatus[] = [
  "waiting",
  "running",
  "queued",
  "completed",
  "failed",
  "compensated",
  "rejected",
  "timeout",
  "cancelled",
];

export function RunsPage() {
  const words = usePhrases(runsPhrases);
  const { search, change } = useAddress();
  const mayReadEndpoints = useMay("edr:read");
  const isInForce = search.tab === IN_FORCE;
  const show = (tab: string | undefined) => change({ tab, pane: undefined, status: undefined }, { isStep: true });
  return (
    <Page
      title={words.runs}
      isFull
      tabs={
        <TabLinks
          label={words.views}
          items={[
            { label: words.runs, isCurrent: !isInForce, onSelect: () => show(undefined) },
            ...(mayReadEndpoints
              ? [{ label: words.inForce, isCurrent: isInForce, onSelect: () => show(IN_FORCE) }]
              : []),
          ]}
        />
      }
    >
      {isInForce ? (
        <ChangesProvider needs="edr:manage">
          <InForceList />
        </ChangesProvider>
      ) : (
        <>
          <RunsFilter />
          <RunsList />
        </>
      )}
    </Page>
  );
}

function RunsFilter() {
  const words = { ...usePhrases(playbooksPhrases), ...usePhrases(runsPhrases) };
  const { search, change } = useAddress();
  const client = useRunsClient();
  const { data } = useQuery({ queryKey: runKeys.names, queryFn: ({ signal }) => client.playbooks(signal) });
  const playbooks = data?.items ?? [];
  return (
    <div className="runs-filter">
      <SelectField
        label={words.status}
        isLabelHidden
        value={search.status ?? ""}
        onChange={(status) => change({ status })}
        options={[
          { value: "", label: words.anyStatus },
          ...STATUSES.map((status) => ({ value: status, label: words.statuses[status] })),
        ]}
      />
      <SelectField
        label={words.playbook}
        isLabelHidden
        value={search.playbook ?? ""}
        onChange={(playbook) => change({ playbook })}
        options={[
          { value: "", label: words.anyPlaybook },
          ...playbooks.map(({ id, name }) => ({ value: id, label: safeText(name) })),
        ]}
      />
    </div>
  );
}

const readKey = (run: Run) => run.execution_id;

function RunsList() {
  const words = { ...usePhrases(playbooksPhrases), ...usePhrases(runsPhrases) };
  const time = useTime();
  const now = useNow(NOW_MS);
  const client = useRunsClient();
  const { search, change, go } = useAddress();
  const pages = useRecordPages<Run>(
    "runs",
    { status: search.status, playbook_id: search.playbook, case_id: search.case, alert_id: search.alert },
    client.list,
  );
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "playbook", title: words.playbook, width: "minmax(140px, 1fr)" },
      { key: "status", title: words.status, width: "148px" },
      { key: "waits", title: words.waitsFor, width: "minmax(0, 1fr)" },
      { key: "steps", title: words.steps, width: "56px", align: "end" },
      { key: "mode", title: words.mode, width: "80px" },
      { key: "by", title: words.by, width: "120px" },
      { key: "at", title: words.started, width: "164px" },
      { key: "took", title: words.took, width: "64px", align: "end" },
    ],
    [words.playbook, words.status, words.waitsFor, words.steps, words.mode, words.by, words.started, words.took],
  );
  const { simulated, real } = words;
  const render = useCallback((run: Run) => RunCells(run, { simulated, real }, time, now), [simulated, real, time, now]);
  const open = useCallback((key: string) => go(`/runs/${key}`), [go]);
  const isFiltered = [search.status, search.playbook, search.case, search.alert].some(Boolean);
  return (
    <RecordList
      label={words.runs}
      noun="runs"
      events="execution."
      columns={columns}
      pages={pages}
      rowKey={readKey}
      renderRow={render}
      rowName={(run) => safeText(run.playbook_name)}
      onOpen={open}
      renderPane={(run) => <RunPane run={run} />}
      empty={
        <EmptyState
          title={words.noRuns}
          text={words.noRunsText}
          action={<Link to="/playbooks">{words.choosePlaybook}</Link>}
        />
      }
      onClearFilter={
        isFiltered
          ? () => change({ status: undefined, playbook: undefined, case: undefined, alert: undefined })
          : undefined
      }
    />
  );
}
