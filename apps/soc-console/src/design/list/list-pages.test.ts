import { describe, expect, test } from "vitest";
import {
  appendPage,
  completeList,
  countRows,
  dropFar,
  emptyWindow,
  findMissing,
  findPage,
  hasMorePages,
  MAX_HEIGHT,
  MAX_PAGES,
  PAGE_ROWS,
  type PageWindow,
  patchRows,
  placeStretch,
  readRow,
  restorePage,
} from "./list-pages.ts";

function fullPage(page: number): number[] {
  return Array.from({ length: PAGE_ROWS }, (_, row) => page * PAGE_ROWS + row);
}

/** Pages in the order in which a user who scrolls down reads them. Each row is its own index. */
function readPages(count: number): PageWindow<number> {
  let pages = emptyWindow<number>();
  for (let page = 0; page < count; page += 1) {
    pages = dropFar(appendPage(pages, { rows: fullPage(page), next: `c${page + 1}` }), page * PAGE_ROWS);
  }
  return pages;
}

function pagesInMemory(pages: PageWindow<unknown>): number {
  return pages.pages.filter((page) => page !== undefined).length;
}

describe("the window of pages", () => {
  test("starts without rows and with one page to load", () => {
    const pages = emptyWindow();
    expect(countRows(pages)).toBe(0);
    expect(hasMorePages(pages)).toBe(true);
    expect(pages.cursors[0]).toBeUndefined();
  });

  test("loads the next page with the last cursor and ends after a page without one", () => {
    const first = appendPage(emptyWindow<string>(), { rows: ["a", "b"], next: "c1" });
    expect(first.cursors[first.pages.length]).toBe("c1");
    const whole = appendPage(first, { rows: ["c"], next: undefined });
    expect(hasMorePages(whole)).toBe(false);
    expect([0, 1, 2, 3].map((row) => readRow(whole, row))).toEqual(["a", "b", "c", undefined]);
  });

  test("finds rows in pages of any length, also after an empty page", () => {
    let pages = appendPage(emptyWindow<string>(), { rows: ["a"], next: "c1" });
    pages = appendPage(pages, { rows: [], next: "c2" });
    pages = appendPage(pages, { rows: ["b", "c"], next: undefined });
    expect([0, 1, 2].map((row) => readRow(pages, row))).toEqual(["a", "b", "c"]);
    expect(findPage(pages, 3)).toBe(-1);
    expect(findPage(pages, -1)).toBe(-1);
  });

  test("keeps at most 40 pages of 100 rows, but every cursor", () => {
    const pages = readPages(100);
    expect(MAX_PAGES * PAGE_ROWS).toBe(4000);
    expect(pagesInMemory(pages)).toBe(40);
    expect(countRows(pages)).toBe(10_000);
    expect(pages.cursors).toHaveLength(101);
    expect(readRow(pages, 9999)).toBe(9999);
    expect(readRow(pages, 0)).toBeUndefined();
  });

  test("names the dropped pages that are visible and restores them at their position", () => {
    const pages = readPages(100);
    expect(findMissing(pages, 150, 320)).toEqual([1, 2, 3]);
    expect(findMissing(pages, 9900, 20_000)).toEqual([]);
    const back = restorePage(pages, 2, fullPage(2));
    expect(readRow(back, 250)).toBe(250);
    expect(findMissing(back, 150, 320)).toEqual([1, 3]);
  });

  test("drops the pages farthest from the screen after the user scrolled back", () => {
    const pages = dropFar(restorePage(readPages(100), 0, fullPage(0)), 0);
    expect(pagesInMemory(pages)).toBe(40);
    expect(readRow(pages, 0)).toBe(0);
    expect(readRow(pages, 9999)).toBeUndefined();
  });

  test("moves no row when a reloaded page changed its length", () => {
    const pages = readPages(100);
    const longer = restorePage(pages, 1, [...fullPage(1), -1]);
    expect(countRows(longer)).toBe(10_000);
    expect(readRow(longer, 199)).toBe(199);
    const shorter = restorePage(pages, 1, [7]);
    expect(readRow(shorter, 100)).toBe(7);
    expect(readRow(shorter, 101)).toBeUndefined();
    expect(countRows(shorter)).toBe(10_000);
  });

  test("changes rows in place and leaves other pages untouched", () => {
    const pages = readPages(3);
    const patched = patchRows(pages, (row) => (row === 150 ? -150 : row));
    expect(readRow(patched, 150)).toBe(-150);
    expect(patched.pages[0]).toBe(pages.pages[0]);
    expect(patched.pages[2]).toBe(pages.pages[2]);
    expect(patchRows(pages, (row) => row)).toBe(pages);
  });
});

describe("the stretch of a long list", () => {
  const NOTHING = { base: 0, rows: 0 };

  test("covers the whole list while it is lower than 16 million pixels", () => {
    expect(placeStretch(NOTHING, 100_000, 36, 0)).toEqual({ base: 0, rows: 100_000 });
  });

  test("never exceeds 16 million pixels and can show every row of a million", () => {
    let stretch = placeStretch(NOTHING, 1_000_000, 36, 0);
    for (let row = 0; row < 1_000_000; row += 1000) {
      stretch = placeStretch(stretch, 1_000_000, 36, row);
      expect(stretch.rows * 36).toBeLessThanOrEqual(MAX_HEIGHT);
      expect(row).toBeGreaterThanOrEqual(stretch.base);
      expect(row).toBeLessThan(stretch.base + stretch.rows);
    }
    expect(stretch.base + stretch.rows).toBe(1_000_000);
    expect(placeStretch(stretch, 1_000_000, 36, 0).base).toBe(0);
  });

  test("stays in place while the row is far from its ends", () => {
    const stretch = placeStretch({ base: 200_000, rows: 444_444 }, 1_000_000, 36, 400_000);
    expect(stretch.base).toBe(200_000);
  });
});

test("has all rows and requests nothing for a complete list", () => {
  const pages = completeList(["a", "b"]);
  expect([pages.count, pages.total, pages.hasMore, pages.rowAt(1), pages.rowAt(2)]).toEqual([
    2,
    2,
    false,
    "b",
    undefined,
  ]);
});
