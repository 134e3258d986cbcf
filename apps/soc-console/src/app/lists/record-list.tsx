import { X } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../design/button.tsx";
import type { ListColumn, RowState } from "../../design/list/column.ts";
import { type ReadListPages, useListPages } from "../../design/list/use-list-pages.ts";
import { WindowList } from "../../design/list/window-list.tsx";
import { Split } from "../../design/split.tsx";
import { EmptyState, Stale } from "../../design/states.tsx";
import { useAddress } from "../address/use-address.ts";
import { useLive } from "../context/app-context.ts";
import type { Command } from "../keys/commands.ts";
import { useCommands } from "../keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../language/language-context.tsx";
import { FailedPart } from "../page/page.tsx";
import { useStatusText } from "../status/status.tsx";
import { listsPhrases } from "./lists-phrases.ts";
import { NewsPill } from "./news-pill.tsx";
import { listSelected, useListKeys } from "./use-list-keys.ts";
import "./lists.css";
import type { ListResponse, QueryValue } from "../server/server.ts";

const PAGE_ROWS = 100;

type Query = Readonly<Record<string, QueryValue>>;
type PageReader<Item> = (query: Query, signal: AbortSignal) => Promise<ListResponse<Item>>;

/** The pages of an API list. A new `query` reloads from the beginning. */
export function useRecordPages<Item>(noun: string, query: Query, read: PageReader<Item>): ReadListPages<Item> {
  return useListPages<Item>(`${noun} ${JSON.stringify(query)}`, async (cursor, signal) => {
    const page = await read({ ...query, limit: PAGE_ROWS, cursor }, signal);
    return { rows: page.items, next: page.next_cursor ?? undefined, total: page.total };
  });
}

export interface RecordListProps<Item> {
  /** Noun of the rows: the accessible name of the grid and the group of its commands. */
  label: string;
  /** Prefix of the command ids: `endpoints`. */
  noun: string;
  /** Prefix of the events that change the list: `endpoint.`. Changes wait in a pill until the user loads them. */
  events?: string | undefined;
  columns: readonly ListColumn[];
  pages: ReadListPages<Item>;
  rowKey: (item: Item) => string;
  renderRow: (item: Item, index: number, state: RowState) => ReactNode;
  /** Name of a row, for its check box. */
  rowName: (item: Item) => string;
  /** Path of the page of a row. */
  onOpen?: ((key: string) => void) | undefined;
  /** The pane of the row under the cursor, rendered from the row. Its key is in the address as `pane`. */
  renderPane?: ((item: Item) => ReactNode) | undefined;
  /** Actions on the selected rows. Without it, rows cannot be selected. */
  renderActions?: ((keys: string[], clear: () => void) => ReactNode) | undefined;
  /** Commands on the row under the cursor. */
  rowCommands?: ((item: Item) => readonly Command[]) | undefined;
  /** Empty state: what to do first. */
  empty: ReactNode;
  /** Set while a filter is active: an empty list then offers to clear it. */
  onClearFilter?: (() => void) | undefined;
}

/** A list of records with everything lists share: keys, cursor, pane, selection, news, error and empty state. */
export function RecordList<Item>(props: RecordListProps<Item>) {
  const { label, noun, events, columns, pages, rowKey, onOpen, renderPane, renderActions } = props;
  const words = usePhrases(listsPhrases);
  const { search, change } = useAddress();
  const [news, showNews] = useNews(pages, events);
  const isSelectable = renderActions !== undefined;
  const peek = useCallback(
    (key: string) => change({ pane: search.pane === key ? undefined : key }),
    [change, search.pane],
  );
  const follow = useCallback(
    (key: string) => {
      if (renderPane && search.pane !== undefined && search.pane !== key) change({ pane: key });
    },
    [renderPane, change, search.pane],
  );
  const keys = useListKeys(pages, rowKey, {
    noun,
    group: label,
    first: search.pane,
    onMove: follow,
    onOpen: onOpen ?? (renderPane && peek),
    onPeek: renderPane && peek,
    isWithoutSelect: !isSelectable,
  });
  const chosen = listSelected(keys.selected);
  const isPaneOpen = renderPane !== undefined && search.pane !== undefined;
  const frame = useRef<HTMLDivElement>(null);
  const shown = isPaneOpen ? keys.current : undefined;
  useKeptFocus(frame, shown !== undefined);
  useCommands([
    ...keys.commands.filter(({ id }) => id !== `${noun}.leave`),
    { id: `${noun}.news`, label: words.showNews, group: label, keys: ["."], run: showNews, isHidden: true },
    {
      id: `${noun}.close-pane`,
      label: words.leave,
      group: label,
      keys: ["Escape"],
      isHidden: true,
      isEnabled: isPaneOpen,
      run: () => change({ pane: undefined }),
    },
    ...(keys.current === undefined ? [] : (props.rowCommands?.(keys.current) ?? [])),
  ]);
  useStatusText(countShown(pages, words.shown));
  if (pages.error !== undefined && pages.count === 0) {
    return <FailedPart error={pages.error} onRetry={pages.reload} />;
  }
  return (
    <div ref={frame} className="record-list">
      {renderActions && <SelectionBar keys={chosen} onClear={keys.clear} renderActions={renderActions} />}
      <CountedNews count={news} onShow={showNews} />
      <Stale isStale={pages.isStale && !pages.isFirst}>
        <Split
          paneLabel={words.peek}
          pane={
            shown !== undefined && (
              <ListPane onClose={() => change({ pane: undefined })}>{renderPane?.(shown)}</ListPane>
            )
          }
          main={
            <WindowList
              label={label}
              columns={columns}
              pages={pages}
              rowKey={rowKey}
              renderRow={props.renderRow}
              {...keys.list}
              onOpen={onOpen ?? peek}
              checkLabel={nameCheck(props, words.select)}
              empty={<NoRows empty={props.empty} onClearFilter={props.onClearFilter} />}
              footer={<FailedRead pages={pages} />}
            />
          }
        />
      </Stale>
    </div>
  );
}

/** How many rows are in memory, of how many; nothing before the first answer. */
function countShown<Item>({ isFirst, hasMore, count, total }: ReadListPages<Item>, sentence: string): string {
  if (isFirst) return "";
  return fill(sentence, { shown: count, total: total ?? (hasMore ? `${count}+` : count) });
}

/** Below the rows that are there: the next page, or the update of the list, could not be read. */
function FailedRead<Item>({ pages }: { pages: ReadListPages<Item> }) {
  return pages.error !== undefined && <FailedPart error={pages.error} onRetry={pages.loadMore} />;
}

function ListPane({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const words = usePhrases(listsPhrases);
  return (
    <div className="record-list-pane">
      <IconButton label={words.close} keys={["Esc"]} icon={<X />} size="s" onClick={onClose} />
      {children}
    </div>
  );
}

function CountedNews({ count, onShow }: { count: number; onShow: () => void }) {
  const words = usePhrases(listsPhrases);
  const numbers = useNumbers();
  if (count === 0) return null;
  return <NewsPill onShow={onShow}>{numbers.count(count, words.news)}</NewsPill>;
}

interface SelectionBarProps {
  keys: string[];
  onClear: () => void;
  renderActions: (keys: string[], clear: () => void) => ReactNode;
}

/** Actions on the selected rows. */
function SelectionBar({ keys, onClear, renderActions }: SelectionBarProps) {
  const words = usePhrases(listsPhrases);
  const numbers = useNumbers();
  if (keys.length === 0) return null;
  return (
    <div className="record-list-bar">
      <span>{numbers.count(keys.length, words.selected)}</span>
      {renderActions(keys, onClear)}
      <Button size="s" kind="ghost" onClick={onClear}>
        {words.cancel}
      </Button>
    </div>
  );
}

/** When a pane closes, move the focus from it to the list, so that the list keys work. */
function useKeptFocus(frame: RefObject<HTMLDivElement | null>, isPaneShown: boolean): void {
  const wasShown = useRef(isPaneShown);
  useEffect(() => {
    const isLost = wasShown.current && !isPaneShown && document.activeElement === document.body;
    wasShown.current = isPaneShown;
    if (isLost) frame.current?.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
  }, [frame, isPaneShown]);
}

/** Accessible name of a row's check box, if rows can be selected. */
function nameCheck<Item>({ renderActions, rowName }: RecordListProps<Item>, select: string) {
  return renderActions && ((item: Item) => `${select}: ${rowName(item)}`);
}

/** Counts records that changed since the list was loaded: rows never move under the cursor. */
function useNews<Item>(pages: ReadListPages<Item>, events: string | undefined): [number, () => void] {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useLive({
    onEvents: (batch) => {
      if (events === undefined) return;
      const ids = batch.filter(({ type }) => type.startsWith(events)).map(({ subject_id }) => subject_id);
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

function NoRows({ empty, onClearFilter }: Pick<RecordListProps<never>, "empty" | "onClearFilter">) {
  const words = usePhrases(listsPhrases);
  if (!onClearFilter) return empty;
  return (
    <EmptyState
      title={words.noMatch}
      text={words.noMatchText}
      action={<Button onClick={onClearFilter}>{words.clearFilter}</Button>}
    />
  );
}
