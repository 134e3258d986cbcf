import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { after } from "../../../app/browser/clock.ts";
import { findRow, moveCursor } from "../../../design/list/cursor.ts";
import { type ListItem, readItemKey } from "./alert-item.ts";
import type { AlertList } from "./use-alert-list.ts";

/** The address follows when the cursor rests: a held key must not write it for each row. */
const REST_MS = 250;
const WIDE = "(min-width: 1120px)";
const PLACE_KEY = ["alerts", "place"];

interface Place {
  key: string | undefined;
  index: number;
}

/** The cursor position when the user left the page for an alert. */
interface LeftPlace extends Place {
  listKey: string;
  isPaneOpen: boolean;
}

export interface AlertCursor {
  key: string | undefined;
  item: ListItem | undefined;
  isPaneOpen: boolean;
  moveTo: (key: string, index: number) => void;
  /** Moves by rows; returns the keys of the previous and the new row. */
  moveBy: (rows: number) => { from: string | undefined; to: string | undefined };
  /** Moves to the next unhandled alert. */
  moveOn: () => void;
  setPane: (isOpen: boolean) => void;
  /** Saves the position before the user leaves the page. */
  leave: () => void;
  /** The rows likely to be opened next. */
  next: (count: number) => ListItem[];
}

/** The row that keys act on. Its alert is in the address, so that Back and links restore it. */
export function useAlertCursor({ pages, generation, isGrouped }: AlertList, listKey: string): AlertCursor {
  const { search, change } = useAddress();
  const queries = useQueryClient();
  const inAddress = search.pane ?? search.at;
  const [left] = useState(() => {
    const last = queries.getQueryData<LeftPlace>(PLACE_KEY);
    return last?.listKey === listKey ? last : undefined;
  });
  useEffect(() => queries.removeQueries({ queryKey: PLACE_KEY }), [queries]);
  const [place, setPlace] = useState<Place>(() => left ?? { key: inAddress, index: -1 });
  const [isPaneOpen, setIsPaneOpen] = useState(
    () => left?.isPaneOpen ?? (search.pane !== undefined || (search.at === undefined && matchMedia(WIDE).matches)),
  );
  const written = useRef(inAddress);
  /** The address is not updated yet. */
  const isWriting = useRef(false);
  const latest = useRef({ place, isPaneOpen });
  latest.current = { place, isPaneOpen };

  const found = findRow(pages, readItemKey, place.key, Math.max(0, place.index));
  const item = found === -1 ? undefined : pages.rowAt(found);

  /** Restores the cursor from the address. */
  const settle = useCallback(() => {
    const { place: current, isPaneOpen: isOpen } = latest.current;
    const isAlert = current.key !== undefined && !current.key.includes("=");
    const key = isAlert ? current.key : undefined;
    isWriting.current = key !== written.current;
    written.current = key;
    change(isOpen ? { pane: key, at: undefined } : { pane: undefined, at: key ?? "list" });
  }, [change]);
  const leave = useCallback(() => {
    const { place: current, isPaneOpen: isOpen } = latest.current;
    queries.setQueryData<LeftPlace>(PLACE_KEY, { ...current, listKey, isPaneOpen: isOpen });
  }, [queries, listKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the place and the pane.
  useEffect(() => after(REST_MS, settle), [place.key, isPaneOpen]);

  // Back and Forward change the address without a key press.
  useEffect(() => {
    if (inAddress === written.current) isWriting.current = false;
    if (isWriting.current || inAddress === undefined || inAddress === written.current || inAddress === "list") return;
    written.current = inAddress;
    setPlace({ key: inAddress, index: -1 });
    setIsPaneOpen(search.pane !== undefined);
  }, [inAddress, search.pane]);

  // Without a cursor, select the first row. If the row disappeared, select the row in its place.
  useEffect(() => {
    if (generation === 0 || pages.isLoading || found !== -1 || pages.count === 0) return;
    if (place.key !== undefined && place.key !== "list" && place.index === -1) return;
    if (place.index >= pages.count && pages.hasMore) return pages.loadMore();
    const index = Math.max(0, Math.min(place.index, pages.count - 1));
    const row = pages.rowAt(index);
    if (row) setPlace({ key: row.key, index });
  }, [pages, generation, found, place]);

  // A different list has a new cursor.
  useEffect(() => {
    if (isGrouped) setPlace({ key: undefined, index: 0 });
  }, [isGrouped]);

  const moveTo = useCallback((key: string, index: number) => setPlace({ key, index }), []);
  return useMemo(() => {
    const at = { key: place.key, index: Math.max(0, found) };
    const findNext = (count: number): ListItem[] => {
      const rows: ListItem[] = [];
      for (let index = found + 1; index < pages.count && rows.length < count; index += 1) {
        const row = pages.rowAt(index);
        if (row && !(row.kind === "alert" && row.handled)) rows.push(row);
      }
      return rows;
    };
    return {
      key: place.key,
      item,
      isPaneOpen,
      moveTo,
      moveBy: (rows) => {
        const moved = moveCursor(pages, readItemKey, at, rows);
        if (moved) setPlace(moved);
        return { from: item?.key, to: moved?.key };
      },
      moveOn: () => {
        const [row] = findNext(1);
        if (row) setPlace({ key: row.key, index: findRow(pages, readItemKey, row.key, found + 1) });
      },
      setPane: setIsPaneOpen,
      leave,
      next: findNext,
    };
  }, [pages, place, found, item, isPaneOpen, moveTo, leave]);
}
