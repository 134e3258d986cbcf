import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type ListPages, PAGE_ROWS, placeStretch, type Stretch } from "./list-pages.ts";

/** Rows rendered above and below the screen: enough for 170 ms at 2,000 px/s. */
const OVERSCAN = 10;
/** The window moves in steps of this many rows, so that not every scroll frame renders. */
const STEP = 4;
const DEFAULT_ROW_HEIGHT = 36;

interface View {
  /** First index and number of the visible rows. */
  top: number;
  visible: number;
  stretch: Stretch;
  rowHeight: number;
}

export interface RowWindow {
  scroller: RefObject<HTMLDivElement | null>;
  measure: () => void;
  /** Scrolls as little as needed to show the row. Returns false while the element is not high enough yet. */
  reveal: (row: number) => boolean;
  first: number;
  drawn: number;
  slots: number;
  base: number;
  height: number;
  rowHeight: number;
  visibleRows: number;
}

function readRowHeight(scroller: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(scroller).getPropertyValue("--row-height")) || DEFAULT_ROW_HEIGHT;
}

function headHeight(scroller: HTMLElement): number {
  return scroller.querySelector<HTMLElement>(".list-head")?.offsetHeight ?? 0;
}

function isSameView(a: View, b: View): boolean {
  return (
    a.top === b.top &&
    a.visible === b.visible &&
    a.rowHeight === b.rowHeight &&
    a.stretch.base === b.stretch.base &&
    a.stretch.rows === b.stretch.rows
  );
}

/** Which rows of a list are rendered, and where. */
export function useRowWindow(pages: ListPages<unknown>, givenHeight: number | undefined): RowWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({
    top: 0,
    visible: 0,
    stretch: { base: 0, rows: 0 },
    rowHeight: givenHeight ?? DEFAULT_ROW_HEIGHT,
  });
  const shown = useRef(view);
  const { count } = pages;

  /** Measurements of the element, cached because a scroll must not force a layout. */
  const room = useRef({ height: 0, rowHeight: view.rowHeight });
  /** The base of the rendered rows. `shown` may be ahead of it. */
  const drawnBase = useRef(0);

  const look = useCallback(
    (wantedRow?: number) => {
      const element = scroller.current;
      if (!element) return;
      const { height, rowHeight } = room.current;
      const row = wantedRow ?? drawnBase.current + Math.floor(element.scrollTop / rowHeight);
      const stretch = placeStretch(shown.current.stretch, count, rowHeight, row);
      const next = {
        top: Math.floor(row / STEP) * STEP,
        visible: Math.ceil(height / rowHeight),
        stretch,
        rowHeight,
      };
      if (isSameView(shown.current, next)) return;
      shown.current = next;
      setView(next);
    },
    [count],
  );
  const measure = useCallback(() => look(), [look]);

  // When the stretch moves, move the scroll position with it before the frame is painted.
  useLayoutEffect(() => {
    const { base } = view.stretch;
    if (scroller.current && base !== drawnBase.current) {
      scroller.current.scrollTop += (drawnBase.current - base) * view.rowHeight;
    }
    drawnBase.current = base;
  }, [view]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const size = () => {
      room.current = {
        height: element.clientHeight - headHeight(element),
        rowHeight: givenHeight ?? readRowHeight(element),
      };
      look();
    };
    size();
    const observer = new ResizeObserver(size);
    observer.observe(element);
    return () => observer.disconnect();
  }, [look, givenHeight]);

  useEffect(() => {
    const last = view.top + view.visible + STEP;
    pages.show(view.top, last);
    const isNearEnd = last > pages.count - PAGE_ROWS / 2;
    if (isNearEnd && pages.hasMore && !pages.isLoading && pages.error === undefined) pages.loadMore();
  }, [pages, view]);

  const reveal = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return false;
      const { stretch, rowHeight } = view;
      if (row < stretch.base || row >= stretch.base + stretch.rows) {
        look(row);
        return false;
      }
      const top = (row - stretch.base) * rowHeight;
      const { height } = room.current;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + height) element.scrollTop = top + rowHeight - height;
      return true;
    },
    [look, view],
  );

  const first = Math.max(view.stretch.base, view.top - OVERSCAN);
  const slots = view.visible + 2 * OVERSCAN + STEP;
  const end = Math.min(view.stretch.base + view.stretch.rows, first + slots);
  return {
    scroller,
    measure,
    reveal,
    first,
    drawn: Math.max(0, end - first),
    slots: Math.max(1, slots),
    base: view.stretch.base,
    height: view.stretch.rows * view.rowHeight,
    rowHeight: view.rowHeight,
    visibleRows: Math.max(1, view.visible - 1),
  };
}
