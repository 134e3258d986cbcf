import { useCallback, useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { Button } from "../../../design/button.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { extendRange, type Selection, toggleRow } from "../../../design/list/selection.ts";
import { WindowList } from "../../../design/list/window-list.tsx";
import { EmptyState, ErrorState, Skeleton, Stale } from "../../../design/states.tsx";
import { type ListItem, readItemKey } from "./alert-item.ts";
import { AlertRow } from "./alert-row.tsx";
import { alertsPhrases } from "./alerts-phrases.ts";
import { type AlertsState, type ExtraColumn, FIRST_VIEW, NO_FILTER } from "./alerts-state.ts";
import type { AlertCursor } from "./use-alert-cursor.ts";
import type { AlertList } from "./use-alert-list.ts";

const WIDTHS: Readonly<Record<ExtraColumn, string>> = {
  user: "112px",
  technique: "88px",
  source: "88px",
  site: "72px",
  risk: "40px",
};

function useColumns(extras: readonly ExtraColumn[], { sort }: AlertsState): ListColumn[] {
  const { columns } = usePhrases(alertsPhrases);
  const { change } = useAddress();
  return useMemo(() => {
    const direction = sort === "last_seen" ? "asc" : sort === "-last_seen" ? "desc" : undefined;
    const sortByTime = () => change({ sort: sort === "-last_seen" ? "last_seen" : undefined }, { isStep: true });
    return [
      { key: "severity", title: columns.severity, width: "16px", isTitleHidden: true },
      { key: "time", title: columns.time, width: "68px", isSortable: true, sort: direction, onSort: sortByTime },
      { key: "title", title: columns.title, width: "minmax(160px, 1fr)" },
      { key: "host", title: columns.host, width: "minmax(88px, 128px)" },
      ...extras.map(
        (key): ListColumn => ({
          key,
          title: columns[key],
          width: WIDTHS[key],
          align: key === "risk" ? "end" : "start",
        }),
      ),
      { key: "count", title: columns.count, width: "36px", align: "end" },
      { key: "status", title: columns.status, width: "112px" },
      { key: "assignee", title: columns.assignee, width: "24px", isTitleHidden: true },
    ];
  }, [columns, extras, sort, change]);
}

export interface AlertsTableProps {
  list: AlertList;
  state: AlertsState;
  cursor: AlertCursor;
  extras: readonly ExtraColumn[];
  selection: Selection;
  setSelection: (change: (before: Selection) => Selection) => void;
  onOpen: (key: string) => void;
}

/** The rows. */
export function AlertsTable({ list, state, cursor, extras, selection, setSelection, onOpen }: AlertsTableProps) {
  const words = usePhrases(alertsPhrases);
  const columns = useColumns(extras, state);
  const { pages, flat, toggleGroup } = list;
  const renderRow = useCallback(
    (item: ListItem) => <AlertRow item={item} extras={extras} onToggleGroup={toggleGroup} />,
    [extras, toggleGroup],
  );
  const nameCheck = useCallback(
    (item: ListItem) =>
      fill(words.select, { title: isolated(item.kind === "alert" ? item.alert.title : item.group.label) }),
    [words],
  );
  const toggle = useCallback(
    (key: string) => !key.includes("=") && setSelection((before) => toggleRow(before, key)),
    [setSelection],
  );
  const extend = useCallback((keys: string[]) => setSelection((before) => extendRange(before, keys)), [setSelection]);
  const { error } = flat;

  if (error instanceof ApiError && (flat.isFirst || flat.isStale)) {
    return (
      <ErrorState
        title={words.failed}
        text={errorWords(error)}
        requestId={error.requestId}
        retryLabel={words.retry}
        onRetry={flat.reload}
      />
    );
  }
  if (flat.isFirst) return <Skeleton rows={14} />;
  return (
    <Stale isStale={flat.isStale}>
      <WindowList
        label={words.list}
        columns={columns}
        pages={pages}
        rowKey={readItemKey}
        renderRow={renderRow}
        cursor={cursor.key}
        onCursor={cursor.moveTo}
        selected={selection}
        onToggle={toggle}
        onExtend={extend}
        onOpen={onOpen}
        empty={<NoAlerts state={state} />}
        checkLabel={nameCheck}
        footer={
          error instanceof ApiError && (
            <>
              {errorWords(error)}{" "}
              <Button size="s" onClick={flat.loadMore}>
                {words.retry}
              </Button>
            </>
          )
        }
      />
    </Stale>
  );
}

/** Three reasons for an empty list: no alerts yet, no match, everything handled. */
function NoAlerts({ state }: { state: AlertsState }) {
  const words = usePhrases(alertsPhrases);
  const { search, change } = useAddress();
  const isDone = state.view === FIRST_VIEW && search.q === undefined;
  const [title, text] = isDone
    ? [words.emptyDone, words.emptyDoneText]
    : state.text === ""
      ? [words.emptyNothing, words.emptyNothingText]
      : [words.emptyFilter, words.emptyFilterText];
  return (
    <EmptyState
      title={title}
      text={text}
      action={
        <>
          <Button onClick={() => change({ from: "-30d", to: undefined }, { isStep: true })}>{words.longer}</Button>
          {state.text !== "" && (
            <Button kind="ghost" onClick={() => change({ q: NO_FILTER }, { isStep: true })}>
              {words.showAll}
            </Button>
          )}
        </>
      }
    />
  );
}
