import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { readStored, writeStored } from "../../../app/browser/browser-storage.ts";
import { now } from "../../../app/browser/clock.ts";
import { readRange, type TimeRange } from "../../../app/time/range.ts";
import type { Hunt } from "../hunts/hunts-client.ts";
import { readSplit } from "./hunt-chart.tsx";
import {
  addToHistory,
  formatColumns,
  narrowQuery,
  parseColumns,
  parseHistory,
  toggleColumn,
  writeHuntQuery,
} from "./hunt-query.ts";

const HISTORY_KEY = "hunt-history";
const DEFAULT_RANGE: TimeRange = { from: "-24h" };

/** The query history of this browser, newest first. */
export function useHistory() {
  const [history, setHistory] = useState(() => parseHistory(readStored(HISTORY_KEY)));
  const remember = useCallback((query: string) => {
    const next = addToHistory(parseHistory(readStored(HISTORY_KEY)), query);
    writeStored(HISTORY_KEY, JSON.stringify(next));
    setHistory(next);
  }, []);
  return { history, remember };
}

/** The state in the address: query, range, columns, split, open log, tail. */
export function useHuntState(saved: Hunt | undefined) {
  const { search, change } = useAddress();
  const query = search.q ?? (saved ? writeHuntQuery(saved) : "");
  const { from, to } = search;
  const range = useMemo(() => readRange({ from, to }, now()) ?? DEFAULT_RANGE, [from, to]);
  const columns = useMemo(() => parseColumns(search.cols), [search.cols]);
  const setRange = useCallback(
    (next: TimeRange) => change({ from: next.from, to: next.to, log: undefined }, { isStep: true }),
    [change],
  );
  const setQuery = useCallback((q: string) => change({ q, log: undefined }, { isStep: true }), [change]);
  return {
    query,
    range,
    columns,
    by: readSplit(search.by),
    logId: search.log,
    isTail: search.tail === "1",
    setQuery,
    setRange,
    resetRange: useCallback(() => change({ from: undefined, to: undefined }, { isStep: true }), [change]),
    setBy: useCallback((by: string) => change({ by: by === "severity" ? undefined : by }), [change]),
    openLog: useCallback((log: string | undefined) => change({ log }), [change]),
    setTail: useCallback((isOn: boolean) => change({ tail: isOn ? "1" : undefined }, { isStep: true }), [change]),
    switchColumn: useCallback(
      (column: string) => change({ cols: formatColumns(toggleColumn(columns, column)) }),
      [change, columns],
    ),
    narrow: useCallback(
      (term: string, isExcluded: boolean) => setQuery(narrowQuery(query, term, isExcluded)),
      [setQuery, query],
    ),
  };
}

export type HuntState = ReturnType<typeof useHuntState>;
