/** A list of which a part is in memory. Rows are counted from 0 over all pages that were ever read. */
export interface ListPages<Item> {
  /** Rows read so far, with those whose page was dropped since. */
  readonly count: number;
  /** All rows that match, where the service says so. */
  readonly total?: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Why the last page could not be read; the list asks no more until `loadMore` is called from outside. */
  readonly error?: unknown;
  /** Undefined while the page of the row is read again. */
  rowAt: (index: number) => Item | undefined;
  /** Reads the next page, unless one is being read. */
  loadMore: () => void;
  /** The rows on the screen: what was dropped of them is read again, what is far from them may be dropped. */
  show: (first: number, last: number) => void;
}

export const MAX_PAGES = 40;
export const PAGE_ROWS = 100;

/** Browsers cut an element at 33,554,428 px; half of that is safe in all of them. */
export const MAX_HEIGHT = 16_000_000;

export interface Page<Item> {
  readonly rows: readonly Item[];
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined;
}

/** All pages ever read: the length and the cursor of each, and the rows of at most MAX_PAGES of them. */
export interface PageWindow<Item> {
  readonly pages: readonly (readonly Item[] | undefined)[];
  /** The index of the first row of each page; the last number is the count of all rows. */
  readonly starts: readonly number[];
  /** The cursor that reads each page; after the last page read, that of the next one, if there is one. */
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

/** The page that contains a row; -1 when no page read so far does. */
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

/** Adds the page after the last. */
export function appendPage<Item>(pages: PageWindow<Item>, page: Page<Item>): PageWindow<Item> {
  const cursors = pages.cursors.slice(0, pages.pages.length + 1);
  return {
    pages: [...pages.pages, page.rows],
    starts: [...pages.starts, countRows(pages) + page.rows.length],
    cursors: page.next === undefined ? cursors : [...cursors, page.next],
  };
}

/**
 * Puts back a page that was dropped. Rows that came or went since do not move the others: the page keeps its length,
 * so that nothing jumps under the cursor.
 */
export function restorePage<Item>(pages: PageWindow<Item>, index: number, rows: readonly Item[]): PageWindow<Item> {
  const length = (pages.starts[index + 1] ?? 0) - (pages.starts[index] ?? 0);
  return { ...pages, pages: pages.pages.with(index, rows.slice(0, length)) };
}

/** The pages between two rows that are not in memory. */
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

/** The stretch of rows that one scrolling element can carry: rows from `base`, `rows` of them. */
export interface Stretch {
  readonly base: number;
  readonly rows: number;
}

/**
 * Keeps the element below MAX_HEIGHT. While all rows fit, the stretch is the list. Above that it is moved, with the
 * row on the screen in its middle, as soon as that row comes near one of its ends.
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

/** A list that is complete and in memory. */
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
