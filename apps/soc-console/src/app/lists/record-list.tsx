import { X } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../design/button.tsx";
import type { ListColumn, RowState } from "../../design/list/column.ts";
import type { ReadListPages } from "../../design/list/use-list-pages.ts";
import { WindowList } from "../../design/list/window-list.tsx";
import { Split } from "../../design/split.tsx";
import { EmptyState, Stale } from "../../design/states.tsx";
import { useAddress } from "../address/use-address.ts";
import { useLive } from "../context/use-live.ts";
import type { Command } from "../keys/commands.ts";
import { useCommands } from "../keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../language/language-context.tsx";
import { fill } from "../language/phrases.ts";
import { FailedPart } from "../page/failed-part.tsx";
import { useStatusText } from "../status/status.tsx";
import { listsPhrases } from "./lists-phrases.ts";
import { NewsPill } from "./news-pill.tsx";
import { listSelected, useListKeys } from "./use-list-keys.ts";
import "./lists.css";

export interface RecordListProps<Item> {
  /** What the list has: the name of the grid, and the group of its commands. */
  label: string;
  /** For the ids of the commands: `endpoints`. */
  noun: string;
  /** The beginning of the events that change the list: `endpoint.`. A change waits in a pill until it is asked for. */
  events?: string | undefined;
  columns: readonly ListColumn[];
  pages: ReadListPages<Item>;
  rowKey: (item: Item) => string;
  renderRow: (item: Item, index: number, state: RowState) => ReactNode;
  /** The name of a row, for its check box. */
  rowName: (item: Item) => string;
  /** The page of a row. */
  onOpen?: ((key: string) => void) | undefined;
  /** The row under the cursor beside the list, painted from the row. Its key stands in the address as `pane`. */
  renderPane?: ((item: Item) => ReactNode) | undefined;
  /** Actions on the selected rows; without it rows cannot be selected. */
  renderActions?: ((keys: string[], clear: () => void) => ReactNode) | undefined;
  /** What can be done with the row under the cursor, by its keys. */
  rowCommands?: ((item: Item) => readonly Command[]) | undefined;
  /** Nothing yet: what to do. */
  empty: ReactNode;
  /** Set while a filter is on: then an empty list offers to clear it. */
  onClearFilter?: (() => void) | undefined;
}

/** A list of records with what every list has: keys, cursor, pane, selection, news, failure and empty state. */
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
  useStatusText(fill(words.shown, { shown: pages.count, total: pages.total ?? `${pages.count}+` }));
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
            />
          }
        />
      </Stale>
    </div>
  );
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

/** What can be done with the selected rows. */
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

/** What had the focus in a pane is gone with it: then the list has it, and its keys go on. */
function useKeptFocus(frame: RefObject<HTMLDivElement | null>, isPaneShown: boolean): void {
  const wasShown = useRef(isPaneShown);
  useEffect(() => {
    const isLost = wasShown.current && !isPaneShown && document.activeElement === document.body;
    wasShown.current = isPaneShown;
    if (isLost) frame.current?.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
  }, [frame, isPaneShown]);
}

/** The name of a row's check box, where rows can be selected. */
function nameCheck<Item>({ renderActions, rowName }: RecordListProps<Item>, select: string) {
  return renderActions && ((item: Item) => `${select}: ${rowName(item)}`);
}

/** Counts records that changed since the list was read: rows never move under the cursor. */
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
