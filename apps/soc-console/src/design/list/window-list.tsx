// biome-ignore-all lint/a11y/useSemanticElements: rows that are recycled and moved cannot be those of a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { ListColumn, RowState } from "./column.ts";
import { findRow } from "./cursor.ts";
import { ListHead } from "./list-head.tsx";
import type { ListPages } from "./list-pages.ts";
import { PlainListRow } from "./list-row.tsx";
import { isSelected, type Selection } from "./selection.ts";
import { usePrintedRows } from "./use-printed-rows.ts";
import { type RowWindow, useRowWindow } from "./use-row-window.ts";

export interface WindowListProps<Item> {
  label: string;
  columns: readonly ListColumn[];
  pages: ListPages<Item>;
  rowKey: (item: Item) => string;
  /** The cells: a fragment or array with one node per column, or one component that renders `Cell`s. */
  renderRow: (item: Item, index: number, state: RowState) => ReactNode;
  cursor: string | undefined;
  onCursor: (key: string, index: number) => void;
  selected: Selection;
  onToggle: (key: string) => void;
  /** Shift+click: the keys from the cursor to the clicked row. */
  onExtend?: ((keys: string[]) => void) | undefined;
  onOpen: (key: string) => void;
  rowHeight?: number | undefined;
  empty: ReactNode;
  /** Accessible name of a row's check box. Without it, rows have no check boxes. */
  checkLabel?: ((item: Item) => string) | undefined;
  footer?: ReactNode;
}

/** The row that a key moves the cursor to; undefined for other keys. */
function moveByKey(key: string, at: number, count: number, page: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const next = moves[key];
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

function readIndex(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  return row ? Number(row.dataset.row) : undefined;
}

/** The keys of the rows from one index to another, in that order. */
function readKeys<Item>({ pages, rowKey }: WindowListProps<Item>, from: number, to: number): string[] {
  const step = to < from ? -1 : 1;
  const keys: string[] = [];
  for (let index = from; index !== to + step; index += step) {
    const item = pages.rowAt(index);
    if (item !== undefined) keys.push(rowKey(item));
  }
  return keys;
}

/** Click and key handlers. One listener serves all rows, because rows are recycled while scrolling. */
function useRowActions<Item>(props: WindowListProps<Item>, cursorIndex: number, pageRows: number) {
  const { pages, rowKey, onCursor, onToggle, onExtend, onOpen } = props;
  const keyAt = (index: number | undefined) => {
    const item = index === undefined ? undefined : pages.rowAt(index);
    return item === undefined ? undefined : rowKey(item);
  };
  const moveTo = (index: number) => {
    const key = keyAt(index);
    if (key !== undefined) onCursor(key, index);
  };
  const click = (event: MouseEvent) => {
    const index = readIndex(event.target);
    const key = keyAt(index);
    if (index === undefined || key === undefined) return;
    const isCheck = event.target instanceof Element && event.target.closest(".list-check") !== null;
    if (event.shiftKey && onExtend && cursorIndex !== -1) onExtend(readKeys(props, cursorIndex, index));
    else if (isCheck) onToggle(key);
    else moveTo(index);
  };
  const open = (event: MouseEvent) => {
    const key = keyAt(readIndex(event.target));
    if (key !== undefined && event.target instanceof Element && !event.target.closest(".list-check")) onOpen(key);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const cursorKey = keyAt(cursorIndex);
    if (event.key === "Enter" && cursorKey !== undefined) {
      event.preventDefault();
      return onOpen(cursorKey);
    }
    const next = moveByKey(event.key, cursorIndex, pages.count, pageRows);
    if (next === undefined || pages.count === 0) return;
    event.preventDefault();
    if (event.shiftKey && onExtend && cursorIndex !== -1) onExtend(readKeys(props, cursorIndex, next));
    moveTo(next);
  };
  return { click, open, press };
}

/** Keeps the focus on the grid, so that its keys work after a click; Shift+click selects rows, not text. */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  const isCheck = event.target instanceof Element && event.target.closest(".list-check") !== null;
  if (!isCheck && !event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

/** A virtual list of any length: renders the visible rows and loads pages when they come near. */
export function WindowList<Item>(props: WindowListProps<Item>) {
  const { label, columns, pages, rowKey, cursor, empty, footer, checkLabel } = props;
  const hasChecks = checkLabel !== undefined;
  const id = useId();
  const lastCursor = useRef(0);
  const rows = usePrintedRows(useRowWindow(pages, props.rowHeight), pages.count);
  const found = findRow(pages, rowKey, cursor, lastCursor.current);
  const { reveal } = rows;
  // Once per cursor: a reloaded page that contains the cursor must not scroll the view.
  const revealed = useRef<string>(undefined);
  useEffect(() => {
    if (found === -1) return;
    lastCursor.current = found;
    if (revealed.current !== cursor && reveal(found)) revealed.current = cursor;
  }, [found, cursor, reveal]);
  const { click, open, press } = useRowActions(props, found, rows.visibleRows);
  const isActiveDrawn = found >= rows.first && found < rows.first + rows.drawn;
  const isEmpty = pages.count === 0 && !pages.hasMore && !pages.isLoading;

  return (
    <div
      className={hasChecks ? "list" : "list list-without-checks"}
      style={{ "--list-columns": columns.map(({ width }) => width).join(" ") }}
    >
      <div
        ref={rows.scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={pages.hasMore ? (pages.total === undefined ? -1 : pages.total + 1) : pages.count + 1}
        aria-colcount={columns.length + (hasChecks ? 1 : 0)}
        aria-multiselectable={hasChecks}
        aria-activedescendant={isActiveDrawn ? `${id}-${found}` : undefined}
        aria-busy={pages.isLoading || undefined}
        tabIndex={0}
        className="list-scroller"
        onScroll={rows.measure}
        onMouseDown={keepFocus}
        onClick={click}
        onDoubleClick={open}
        onKeyDown={press}
      >
        <div className="list-canvas" role="presentation">
          <ListHead columns={columns} hasChecks={hasChecks} />
          <ListRows {...props} id={id} rows={rows} found={found} />
        </div>
      </div>
      {isEmpty && <div className="list-empty">{empty}</div>}
      {footer && <div className="list-footer">{footer}</div>}
    </div>
  );
}

interface ListRowsProps<Item> extends WindowListProps<Item> {
  id: string;
  rows: RowWindow;
  /** The row under the cursor. */
  found: number;
}

function ListRows<Item>({ id, rows, found, ...props }: ListRowsProps<Item>) {
  const { columns, pages, rowKey, renderRow, selected, checkLabel } = props;
  // Wrapped here because `memo` erases the generic row type.
  const [ListRow] = useState(() => memo(PlainListRow<Item>));
  return (
    <div
      role="rowgroup"
      className="list-rows"
      style={{ blockSize: rows.height, "--row-height": `${rows.rowHeight}px` }}
    >
      {Array.from({ length: rows.drawn }, (_, offset) => {
        const index = rows.first + offset;
        const item = pages.rowAt(index);
        return (
          <ListRow
            key={index % rows.slots}
            id={`${id}-${index}`}
            item={item}
            index={index}
            top={(index - rows.base) * rows.rowHeight}
            columns={columns}
            isCursor={index === found}
            isSelected={item !== undefined && isSelected(selected, rowKey(item))}
            renderRow={renderRow}
            checkLabel={checkLabel}
          />
        );
      })}
    </div>
  );
}
