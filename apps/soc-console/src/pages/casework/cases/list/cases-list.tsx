import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { fill } from "../../../../app/language/phrases.ts";
import { useLive } from "../../../../app/live/use-live.ts";
import { useMay } from "../../../../app/session/use-session.ts";
import { useStatusText } from "../../../../app/status/status.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { type ReadListPages, useListPages } from "../../../../design/list/use-list-pages.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { Split } from "../../../../design/split.tsx";
import { EmptyState, Stale } from "../../../../design/states.tsx";
import { CaseCells } from "../case-row.tsx";
import type { Case } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { FailedPart } from "../failed-part.tsx";
import { listPhrases } from "../list-phrases.ts";
import { useCasesClient } from "../use-cases-client.ts";
import { useChanges } from "../use-change.tsx";
import { listSelected, useListKeys } from "../use-list-keys.ts";
import { CasePane } from "./case-pane.tsx";
import { type CasesFilter, isFiltered, matchesSla, nextSort, parseFilter, toQuery } from "./cases-filter.ts";
import { MergeDialog } from "./merge-dialog.tsx";

const PAGE_ROWS = 100;
/** Pages that are read for one page of matching rows, when the filter is one that the service does not have. */
const MAX_PAGES_READ = 5;

/** The pages of the list. A filter by SLA is applied here, over as many pages as it takes. */
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

/** Counts cases that changed since the list was read: rows never move under the cursor. */
function useNews(pages: ReadListPages<Case>): [number, () => void] {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useLive({
    onEvents: (events) => {
      const ids = events.filter(({ type }) => type.startsWith("case.")).map(({ subject_id }) => subject_id);
      if (ids.length > 0) setChanged((before) => new Set([...before, ...ids]));
    },
    onReset: () => pages.reload(),
  });
  return [
    changed.size,
    () => {
      setChanged(new Set());
      pages.reload();
    },
  ];
}

export function CasesList() {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const numbers = useNumbers();
  const time = useTime();
  const { search, change, go } = useAddress();
  const filter = parseFilter(search);
  const pages = useCasePages(filter);
  const [news, showNews] = useNews(pages);
  const columns = useColumns(filter);
  const { reason } = useChanges();
  const mayMerge = useMay("alerts:write", "cases:write");
  const [isMerging, setIsMerging] = useState(false);
  const open = useCallback((key: string) => go(`/cases/${key}`), [go]);
  const keys = useListKeys(pages, readKey, { noun: "cases", group: words.cases, first: search.pane, onOpen: open });
  const chosen = listSelected(keys.selected);
  const { severities } = words;
  const sortTime = filter.sort === "-created_at" ? "created_at" : "updated_at";
  const render = useCallback(
    (item: Case) => CaseCells(item, { severity: severities[item.severity] }, time.dateTime(item[sortTime])),
    [severities, time, sortTime],
  );
  useCommands([
    ...keys.commands,
    {
      id: "cases.peek",
      label: words.peek,
      group: words.cases,
      keys: ["Space"],
      isHidden: true,
      isInStatusLine: true,
      run: () => change({ pane: search.pane === keys.cursor ? undefined : keys.cursor }),
    },
    {
      id: "cases.sort",
      label: words.sort,
      group: words.cases,
      keys: ["s"],
      run: () => change({ sort: nextSort(filter.sort) }),
    },
    { id: "cases.news", label: words.showNews, group: words.cases, keys: ["."], run: showNews, isHidden: true },
    ...(mayMerge && chosen.length > 1
      ? [
          {
            id: "cases.merge",
            label: words.merge,
            group: words.cases,
            keys: ["⇧M"],
            isEnabled: reason === undefined,
            reason,
            run: () => setIsMerging(true),
          },
        ]
      : []),
  ]);
  useStatusText(
    fill(words.shown, { shown: pages.count, total: pages.total ?? (pages.hasMore ? `${pages.count}+` : pages.count) }),
  );
  const pane = search.pane === undefined ? undefined : keys.current;
  return (
    <div className="cases-list">
      {chosen.length > 0 && (
        <div className="cases-bar">
          <span>{numbers.count(chosen.length, words.selected)}</span>
          {mayMerge && chosen.length > 1 && (
            <Button
              size="s"
              keys={["⇧", "M"]}
              disabled={reason !== undefined}
              title={reason}
              onClick={() => setIsMerging(true)}
            >
              {words.merge}
            </Button>
          )}
          <Button size="s" kind="ghost" onClick={keys.clear}>
            {words.cancel}
          </Button>
        </div>
      )}
      {news > 0 && (
        <button type="button" className="cases-news" onClick={showNews}>
          {numbers.count(news, words.news)}
        </button>
      )}
      {pages.error !== undefined && pages.count === 0 ? (
        <FailedPart error={pages.error} onRetry={pages.reload} />
      ) : (
        <Stale isStale={pages.isStale && !pages.isFirst}>
          <Split
            paneLabel={words.peek}
            pane={pane && <CasePane record={pane} onClose={() => change({ pane: undefined })} />}
            main={
              <WindowList
                label={words.cases}
                columns={columns}
                pages={pages}
                rowKey={readKey}
                renderRow={render}
                {...keys.list}
                onOpen={open}
                checkLabel={(item) => `${words.select}: ${safeText(item.title)}`}
                empty={<NoCases filter={filter} />}
              />
            }
          />
        </Stale>
      )}
      <MergeDialog
        ids={chosen}
        find={(id) => findCase(pages, id)}
        isOpen={isMerging}
        onClose={() => setIsMerging(false)}
        onMerged={() => {
          keys.clear();
          pages.reload();
        }}
      />
    </div>
  );
}

function findCase(pages: ReadListPages<Case>, id: string): Case | undefined {
  for (let index = 0; index < pages.count; index += 1) {
    const row = pages.rowAt(index);
    if (row?.id === id) return row;
  }
  return undefined;
}

function NoCases({ filter }: { filter: CasesFilter }) {
  const words = usePhrases(listPhrases);
  const { search, change } = useAddress();
  if (!isFiltered(filter) && search.status === undefined) {
    return <EmptyState title={words.noCases} text={words.noCasesText} />;
  }
  const clear = () =>
    change({ q: "", severity: "", assignee: "", tag: "", sla: "", status: search.status === "any" ? "any" : "" });
  return (
    <EmptyState
      title={words.noMatch}
      text={words.noMatchText}
      action={<Button onClick={clear}>{words.clearFilter}</Button>}
    />
  );
}
