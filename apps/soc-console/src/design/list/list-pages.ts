/** A list that is partly in memory. Row indexes count over all pages that were ever loaded. */
export interface ListPages<Item> {
  /** Rows loaded so far, including rows of dropped pages. */
  readonly count: number;
  /** Total number of matching rows, if the service reports it. */
  readonly total?: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Why the last page failed to load. The list requests nothing more until the user calls `loadMore`. */
  readonly error?: unknown;
  /** Undefined while the page of the row is reloading. */
  rowAt: (index: number) => Item | undefined;
  /** Loads the next page unless a load is in progress. */
  loadMore: () => void;
  /** Reports the visible rows: dropped pages among them are reloaded, distant pages may be dropped. */
  show: (first: number, last: number) => void;
}

export const MAX_PAGES = 40;
export const PAGE_ROWS = 100;

/** Browsers cut an element at 33,554,428 px; half of that is safe in all of them. */
export const MAX_HEIGHT = 16_000_000;

export interface Page<Item> {
  readonly rows: readonly Item[];
  /** Cursor of the next page; undefined after the last one. */
  readonly next: string | undefined;
}

/** All pages ever loaded: length and cursor of each, and the rows of at most MAX_PAGES. */
export interface PageWindow<Item> {
  readonly pages: readonly (readonly Item[] | undefined)[];
  /** Index of the first row of each page. The last entry is the total row count. */
  readonly starts: readonly number[];
  /** The cursor that loads each page. One more entry follows for the next page, if there is one. */
  readonly cursors: readonly (string | undefined)[];
}

export function emptyWindow<Item>(): PageWindow<Item> {
  return { pages: [], starts: [0], cursors: [undefined] };
}

export function countRows(pages: PageWindow<unknown>): number {
  return pages.starts.at(-1) ?? 0;
}

export function hasMorePages(pages: PageWindow<unknown>): boolean {
  return pages.cursors.length > pages.pages.length;
}

/** The page that contains a row; -1 if no loaded page does. */
export function findPage(pages: PageWindow<unknown>, row: number): number {
  if (row < 0 || row >= countRows(pages)) return -1;
  let low = 0;
  let high = pages.pages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pages.starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function readRow<Item>(pages: PageWindow<Item>, row: number): Item | undefined {
  const page = findPage(pages, row);
  return pages.pages[page]?.[row - (pages.starts[page] ?? 0)];
}

/** Appends a page. */
export function appendPage<Item>(pages: PageWindow<Item>, page: Page<Item>): PageWindow<Item> {
  const cursors = pages.cursors.slice(0, pages.pages.length + 1);
  return {
    pages: [...pages.pages, page.rows],
    starts: [...pages.starts, countRows(pages) + page.rows.length],
    cursors: page.next === undefined ? cursors : [...cursors, page.next],
  };
}

/**
 * Restores a dropped page. Rows added or removed since then do not move the others: the page keeps its length, so that
 * nothing jumps under the cursor.
 */
export function restorePage<Item>(pages: PageWindow<Item>, index: number, rows: readonly Item[]): PageWindow<Item> {
  const length = (pages.starts[index + 1] ?? 0) - (pages.starts[index] ?? 0);
  return { ...pages, pages: pages.pages.with(index, rows.slice(0, length)) };
}

/** The dropped pages between two rows. */
export function findMissing(pages: PageWindow<unknown>, first: number, last: number): number[] {
  const end = Math.min(last, countRows(pages) - 1);
  const missing: number[] = [];
  for (let page = Math.max(0, findPage(pages, Math.max(0, first))); page < pages.pages.length; page += 1) {
    if ((pages.starts[page] ?? 0) > end) break;
    if (pages.pages[page] === undefined) missing.push(page);
  }
  return missing;
}

/** Drops the pages farthest from the row on the screen until MAX_PAGES are left. */
export function dropFar<Item>(pages: PageWindow<Item>, row: number): PageWindow<Item> {
  const kept = pages.pages.flatMap((page, index) => (page ? [index] : []));
  if (kept.length <= MAX_PAGES) return pages;
  const here = Math.max(0, findPage(pages, row));
  const near = new Set(kept.toSorted((a, b) => Math.abs(a - here) - Math.abs(b - here)).slice(0, MAX_PAGES));
  return { ...pages, pages: pages.pages.map((page, index) => (near.has(index) ? page : undefined)) };
}

/** Changes rows in place. Pages without a changed row stay the same objects. */
export function patchRows<Item>(pages: PageWindow<Item>, change: (item: Item) => Item): PageWindow<Item> {
  let isChanged = false;
  const next = pages.pages.map((page) => {
    const rows = page?.map(change);
    if (!rows || rows.every((row, index) => row === page?.[index])) return page;
    isChanged = true;
    return rows;
  });
  return isChanged ? { ...pages, pages: next } : pages;
}

/** The range of rows that one scrolling element can hold: `rows` rows from `base`. */
export interface Stretch {
  readonly base: number;
  readonly rows: number;
}

/**
 * Keeps the element below MAX_HEIGHT. While all rows fit, the stretch is the whole list. Above that, it is recentered
 * on the visible row when that row comes near one of its ends.
 */
export function placeStretch(stretch: Stretch, count: number, rowHeight: number, row: number): Stretch {
  const room = Math.floor(MAX_HEIGHT / rowHeight);
  if (count <= room) return { base: 0, rows: count };
  const margin = Math.floor(room / 8);
  const isNearStart = row < stretch.base + margin && stretch.base > 0;
  const isNearEnd = row > stretch.base + room - margin && stretch.base + room < count;
  const wanted = isNearStart || isNearEnd ? row - Math.floor(room / 2) : stretch.base;
  return { base: Math.max(0, Math.min(wanted, count - room)), rows: room };
}

/** A complete list in memory. */
export function completeList<Item>(rows: readonly Item[]): ListPages<Item> {
  return {
    count: rows.length,
    total: rows.length,
    hasMore: false,
    isLoading: false,
    rowAt: (index) => rows[index],
    loadMore: () => undefined,
    show: () => undefined,
  };
}
