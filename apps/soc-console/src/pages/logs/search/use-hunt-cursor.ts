import { useCallback, useState } from "react";
import { findRow, moveCursor } from "../../../design/list/cursor.ts";
import type { ListPages } from "../../../design/list/list-pages.ts";
import { extendRange, markRows, NONE_SELECTED, type Selection, toggleRow } from "../../../design/list/selection.ts";
import type { HuntState } from "./hunt-state.ts";
import type { Log } from "./search-client.ts";

const readKey = (log: Log) => log.id;

/** The row under the cursor, and the selected rows. An open pane follows the cursor. */
export function useHuntCursor(
  { logId, openLog }: Pick<HuntState, "logId" | "openLog">,
  pages: ListPages<Log>,
  run: string,
) {
  const [place, setPlace] = useState<{ key: string | undefined; index: number }>({ key: logId, index: 0 });
  const [chosen, setChosen] = useState<{ run: string; selection: Selection }>({ run, selection: NONE_SELECTED });
  // A new run has other rows: clear the selection.
  const selected = chosen.run === run ? chosen.selection : NONE_SELECTED;
  const select = (change: (before: Selection) => Selection) => setChosen({ run, selection: change(selected) });
  const isOpen = logId !== undefined;

  const setCursor = useCallback(
    (key: string, index: number) => {
      setPlace({ key, index });
      if (isOpen) openLog(key);
    },
    [isOpen, openLog],
  );
  const move = (by: number) => {
    const next = moveCursor(pages, readKey, place, by);
    if (next) setCursor(next.key, next.index);
    return next;
  };
  return {
    cursor: place.key,
    // Track the row by its key: the rows of a tail move down.
    current: pages.rowAt(findRow(pages, readKey, place.key, place.index)),
    setCursor,
    move,
    selected,
    toggle: (key: string) => select((before) => toggleRow(before, key)),
    extend: (keys: readonly string[]) => select((before) => extendRange(before, keys)),
    /** Selects the current row and the one that the cursor moves to. */
    extendBy: (by: number) => {
      const from = place.key;
      const next = move(by);
      if (from !== undefined && next) select((before) => markRows(before, [from, next.key], true));
    },
    clear: () => select(() => NONE_SELECTED),
  };
}

export type HuntCursor = ReturnType<typeof useHuntCursor>;
