import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from "react";
import {
  appendPage,
  countRows,
  dropFar,
  emptyWindow,
  findMissing,
  hasMorePages,
  type ListPages,
  type PageWindow,
  patchRows,
  readRow,
  restorePage,
} from "./list-pages.ts";

export interface ReadPage<Item> {
  rows: readonly Item[];
  next: string | undefined;
  total?: number | undefined;
}

export interface ReadListPages<Item> extends ListPages<Item> {
  /** No page has been loaded yet. */
  readonly isFirst: boolean;
  /** The rows belong to the previous key, or were loaded before `reload`. */
  readonly isStale: boolean;
  /** Why the last page failed to load. */
  readonly error: unknown;
  /** Reloads from the beginning. The current rows stay visible until then. */
  reload: () => void;
  /** Changes rows in place. */
  patch: (change: (item: Item) => Item) => void;
}

type PageReader<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<ReadPage<Item>>;

interface State<Item> {
  window: PageWindow<Item>;
  total: number | undefined;
  isFirst: boolean;
  isStale: boolean;
  isLoading: boolean;
  error: unknown;
}

/** The current value; the state is the last rendered value. */
interface Reader<Item> {
  window: PageWindow<Item>;
  shown: { first: number; last: number };
  abort: AbortController;
  isBusy: boolean;
  /** Scrolling does not retry a failure. */
  hasFailed: boolean;
  isStale: boolean;
  read: PageReader<Item>;
  setState: Dispatch<SetStateAction<State<Item>>>;
}

type Place<Item> = (page: ReadPage<Item>) => PageWindow<Item>;

async function askPage<Item>(reader: Reader<Item>, cursor: string | undefined, place: Place<Item>): Promise<void> {
  if (reader.isBusy) return;
  reader.isBusy = true;
  const { signal } = reader.abort;
  reader.setState((before) => ({ ...before, isLoading: true, error: undefined }));
  try {
    const page = await reader.read(cursor, signal);
    if (signal.aborted) return;
    const window = dropFar(place(page), reader.shown.first);
    Object.assign(reader, { window, hasFailed: false, isStale: false });
    reader.setState(({ total }) => ({
      window,
      total: page.total ?? total,
      isFirst: false,
      isStale: false,
      isLoading: false,
      error: undefined,
    }));
  } catch (error) {
    if (signal.aborted) return;
    reader.hasFailed = true;
    reader.setState((before) => ({ ...before, isLoading: false, error }));
  } finally {
    if (!signal.aborted) reader.isBusy = false;
  }
}

/** Reloads a visible page that was dropped. Returns false if there is none. */
function readMissing<Item>(reader: Reader<Item>): boolean {
  const { window, shown } = reader;
  const [missing] = findMissing(window, shown.first, shown.last);
  if (missing === undefined) return false;
  void askPage(reader, window.cursors[missing], ({ rows }) => restorePage(reader.window, missing, rows));
  return true;
}

function reloadPages<Item>(reader: Reader<Item>): void {
  reader.abort.abort();
  Object.assign(reader, { abort: new AbortController(), isBusy: false, isStale: true });
  reader.setState((before) => ({ ...before, isStale: true }));
  void askPage(reader, undefined, (page) => appendPage(emptyWindow(), page));
}

function createActions<Item>(reader: Reader<Item>) {
  return {
    reload: () => reloadPages(reader),
    loadMore: () => {
      const { window, isStale, isBusy } = reader;
      if (isBusy) return;
      if (isStale) return reloadPages(reader);
      if (readMissing(reader) || !hasMorePages(window)) return;
      void askPage(reader, window.cursors[window.pages.length], (page) => appendPage(reader.window, page));
    },
    show: (first: number, last: number) => {
      reader.shown = { first, last };
      if (!reader.hasFailed && !reader.isStale) readMissing(reader);
    },
    patch: (change: (item: Item) => Item) => {
      const window = patchRows(reader.window, change);
      reader.window = window;
      reader.setState((before) => (before.window === window ? before : { ...before, window }));
    },
  };
}

/**
 * The pages of one list. A new `key` (filter, sort) reloads from the beginning. One page loads at a time; a failure
 * waits for `loadMore` or `reload`.
 */
export function useListPages<Item>(key: string, read: PageReader<Item>): ReadListPages<Item> {
  const [state, setState] = useState<State<Item>>(() => ({
    window: emptyWindow(),
    total: undefined,
    isFirst: true,
    isStale: true,
    isLoading: true,
    error: undefined,
  }));
  const [reader] = useState<Reader<Item>>(() => ({
    window: state.window,
    shown: { first: 0, last: 0 },
    abort: new AbortController(),
    isBusy: false,
    hasFailed: false,
    isStale: true,
    read,
    setState,
  }));
  const actions = useMemo(() => createActions(reader), [reader]);

  useEffect(() => {
    reader.read = read;
  }, [reader, read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the list.
  useEffect(() => {
    reloadPages(reader);
    return () => reader.abort.abort();
  }, [key, reader]);

  return useMemo(
    () => ({
      ...actions,
      count: countRows(state.window),
      total: state.total,
      hasMore: hasMorePages(state.window),
      isLoading: state.isLoading,
      isFirst: state.isFirst,
      isStale: state.isStale,
      error: state.error,
      rowAt: (index: number) => readRow(state.window, index),
    }),
    [actions, state],
  );
}
