import { type ListPages, MAX_PAGES, PAGE_ROWS } from "./list-pages.ts";

const MAX_DISTANCE = MAX_PAGES * PAGE_ROWS;

/** Index of the row with this key, searched outwards from its last index; -1 if it is not in memory. */
export function findRow<Item>(
  pages: ListPages<Item>,
  rowKey: (item: Item) => string,
  key: string | undefined,
  hint: number,
): number {
  if (key === undefined) return -1;
  const from = Math.max(0, Math.min(hint, pages.count - 1));
  const isAt = (index: number) => {
    const item = pages.rowAt(index);
    return item !== undefined && rowKey(item) === key;
  };
  for (let distance = 0; distance <= Math.min(MAX_DISTANCE, pages.count); distance += 1) {
    if (isAt(from + distance)) return from + distance;
    if (isAt(from - distance)) return from - distance;
  }
  return -1;
}

export interface CursorPlace {
  key: string;
  index: number;
}

/** Moves the cursor by `by` rows, clamped to the list. Without a cursor, selects the first row. */
export function moveCursor<Item>(
  pages: ListPages<Item>,
  rowKey: (item: Item) => string,
  { key, index: hint }: { key: string | undefined; index: number },
  by: number,
): CursorPlace | undefined {
  const at = findRow(pages, rowKey, key, hint);
  const index = at === -1 ? 0 : Math.max(0, Math.min(pages.count - 1, at + by));
  const item = pages.rowAt(index);
  return item === undefined ? undefined : { key: rowKey(item), index };
}
