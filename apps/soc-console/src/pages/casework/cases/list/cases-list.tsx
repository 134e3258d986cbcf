import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { RecordList } from "../../../../app/lists/record-list.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { type ReadListPages, useListPages } from "../../../../design/list/use-list-pages.ts";
import { EmptyState } from "../../../../design/states.tsx";
import { CaseCells } from "../case-row.tsx";
import { type Case, useCasesClient } from "../cases-client.ts";
import { type CasesFilter, isFiltered, matchesSla, nextSort, parseFilter, toQuery } from "../cases-filter.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";
import { CasePane } from "./case-pane.tsx";
import { MergeDialog } from "./merge-dialog.tsx";

const PAGE_ROWS = 100;
/** Maximum number of pages to read for one page of matches, for filters that the service lacks. */
const MAX_PAGES_READ = 5;

/** The pages of the list. The SLA filter is applied here, over as many pages as needed. */
function useCasePages(filter: CasesFilter): ReadListPages<Case> {
  const client = useCasesClient();
  const query = toQuery(filter);
  return useListPages<Case>(JSON.stringify(filter), async (cursor, signal) => {
    const rows: Case[] = [];
    let next = cursor;
    for (let read = 0; read < MAX_PAGES_READ; read += 1) {
      const page = await client.list({ ...query, limit: PAGE_ROWS, cursor: next }, signal);
      rows.push(...page.items.filter((item) => matchesSla(filter, item)));
      next = page.next_cursor ?? undefined;
      if (filter.sla === undefined) return { rows, next, total: page.total };
      if (next === undefined || rows.length >= PAGE_ROWS) break;
    }
    return { rows, next };
  });
}

const readKey = (item: Case) => item.id;

function useColumns(filter: CasesFilter): ListColumn[] {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  return useMemo(
    () => [
      { key: "severity", title: words.fields.severity, width: "16px", isTitleHidden: true },
      { key: "title", title: words.fields.title, width: "minmax(180px, 1fr)" },
      { key: "status", title: words.fields.status, width: "132px" },
      { key: "assignee", title: words.fields.assignee, width: "24px", isTitleHidden: true },
      { key: "due", title: words.sla_label, width: "150px" },
      { key: "tags", title: words.fields.tags, width: "minmax(0, 140px)" },
      { key: "updated", title: words.sorts[filter.sort], width: "164px" },
    ],
    [words.fields, words.sla_label, words.sorts, filter.sort],
  );
}

export function CasesList() {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const time = useTime();
  const { search, change, go } = useAddress();
  const filter = parseFilter(search);
  const pages = useCasePages(filter);
  const columns = useColumns(filter);
  const mayMerge = useMay("alerts:write", "cases:write");
  const [merged, setMerged] = useState<{ ids: string[]; clear: () => void }>();
  const clearFilter = () =>
    change({ q: "", severity: "", assignee: "", tag: "", sla: "", status: search.status === "any" ? "any" : "" });
  const open = useCallback((key: string) => go(`/cases/${key}`), [go]);
  const { severities } = words;
  const sortTime = filter.sort === "-created_at" ? "created_at" : "updated_at";
  const render = useCallback(
    (item: Case) => CaseCells(item, { severity: severities[item.severity] }, time.dateTime(item[sortTime])),
    [severities, time, sortTime],
  );
  useCommands([
    {
      id: "cases.sort",
      label: words.sort,
      group: words.cases,
      keys: ["s"],
      run: () => change({ sort: nextSort(filter.sort) }),
    },
  ]);
  return (
    <>
      <RecordList
        label={words.cases}
        noun="cases"
        events="case."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={(item) => safeText(item.title)}
        onOpen={open}
        renderPane={(item) => <CasePane record={item} />}
        renderActions={
          mayMerge
            ? (ids, clear) => <MergeButton isEnabled={ids.length > 1} onMerge={() => setMerged({ ids, clear })} />
            : undefined
        }
        empty={<EmptyState title={words.noCases} text={words.noCasesText} />}
        onClearFilter={isFiltered(filter) || search.status !== undefined ? clearFilter : undefined}
      />
      <MergeDialog
        ids={merged?.ids ?? []}
        find={(id) => findCase(pages, id)}
        isOpen={merged !== undefined}
        onClose={() => setMerged(undefined)}
        onMerged={() => {
          merged?.clear();
          pages.reload();
        }}
      />
    </>
  );
}

/** Merges two or more cases. */
function MergeButton({ isEnabled, onMerge }: { isEnabled: boolean; onMerge: () => void }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const { reason } = useChanges();
  const merge: Command = {
    id: "cases.merge",
    label: words.merge,
    group: words.cases,
    keys: ["⇧M"],
    isEnabled: reason === undefined,
    reason,
    run: onMerge,
  };
  useCommands(isEnabled ? [merge] : []);
  if (!isEnabled) return null;
  return <CommandButton size="s" command={merge} />;
}

function findCase(pages: ReadListPages<Case>, id: string): Case | undefined {
  for (let index = 0; index < pages.count; index += 1) {
    const row = pages.rowAt(index);
    if (row?.id === id) return row;
  }
  return undefined;
}
