import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { every, monotonicMs, now } from "../../../app/browser/clock.ts";
import { type App, useApp } from "../../../app/context/app-context.ts";
import { ApiError } from "../../../app/server/api-error.ts";
import { resolveRange, spanRange, type TimeRange } from "../../../app/time/range.ts";
import { useListPages } from "../../../design/list/use-list-pages.ts";
import {
  cancelSearch,
  type HistogramSplit,
  type Log,
  type LogSearch,
  readFacets,
  readHistogram,
  searchKeys,
  searchLogs,
} from "./search-client.ts";

let runs = 0;

function createSearch(query: string, range: TimeRange): LogSearch {
  const at = now();
  runs += 1;
  const { from, to = at.toISOString() } = spanRange(resolveRange(range, at));
  return { query, from, to, searchId: `hunt-${at.getTime().toString(36)}-${runs}` };
}

/** Cancel a request by name after this time: it is a load for the log engine. */
const LONG_MS = 1000;

/**
 * The pending requests of each run. The engine stops a request when its connection closes. A long-running one is also
 * cancelled by name, since a proxy may keep the connection open.
 */
function createRequests(server: App["server"]) {
  const pending = new Map<string, { count: number; startMs: number }>();
  async function stop(searchId: string): Promise<void> {
    pending.delete(searchId);
    try {
      await cancelSearch(server, searchId);
    } catch (error) {
      // The run has ended in the meantime, or the service is unreachable and its own limit ends the run.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return {
    async track<Answer>({ searchId }: LogSearch, ask: () => Promise<Answer>): Promise<Answer> {
      const held = pending.get(searchId) ?? { count: 0, startMs: monotonicMs() };
      pending.set(searchId, held);
      held.count += 1;
      try {
        return await ask();
      } finally {
        held.count -= 1;
        if (held.count === 0) pending.delete(searchId);
      }
    },
    /** Replaced by another run. */
    async replace(searchId: string): Promise<void> {
      const held = pending.get(searchId);
      if (held && monotonicMs() - held.startMs > LONG_MS) await stop(searchId);
    },
    /** Cancelled by the user. */
    async cancel(searchId: string): Promise<void> {
      if (pending.has(searchId)) await stop(searchId);
    },
  };
}

export interface HuntRun {
  search: LogSearch;
  rows: ReturnType<typeof useListPages<Log>>;
  /** The total is a lower bound. */
  isAtLeast: boolean;
  tookMs: number | undefined;
  again: () => void;
  cancel: () => void;
}

/** The total is counted up to here. */
const MAX_COUNTED = 1_000_000;

/**
 * One run of a query: the rows, and the parameters that the other parts need to count the same logs. A new run stops
 * the previous one.
 */
export function useHuntRun(query: string, range: TimeRange) {
  const { server } = useApp();
  const [requests] = useState(() => createRequests(server));
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState<{ tookMs?: number; isAtLeast?: boolean }>({});
  const { from, to } = range;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` repeats the same query with the current time.
  const search = useMemo(() => createSearch(query, { from, to }), [query, from, to, turn]);
  useEffect(() => () => void requests.replace(search.searchId), [requests, search]);

  const rows = useListPages<Log>(search.searchId, async (cursor, signal) => {
    const startMs = monotonicMs();
    const page = await requests.track(search, () => searchLogs(server, search, cursor, signal));
    if (cursor === undefined) {
      const isAtLeast = page.total_is_estimate === true || page.total >= MAX_COUNTED;
      setAnswer({ tookMs: monotonicMs() - startMs, isAtLeast });
    }
    return { rows: page.items, next: page.next_cursor ?? undefined, total: page.total };
  });
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const cancel = useCallback(() => void requests.cancel(search.searchId), [requests, search]);
  const run: HuntRun = { search, rows, isAtLeast: answer.isAtLeast ?? false, tookMs: answer.tookMs, again, cancel };
  return { run, requests };
}

type Requests = ReturnType<typeof createRequests>;

/** The bars load separately: rows neither wait for them nor disappear with them. */
export function useHuntHistogram(search: LogSearch, requests: Requests, by: HistogramSplit) {
  const { server } = useApp();
  return useQuery({
    queryKey: searchKeys.histogram(search.searchId, by),
    queryFn: ({ signal }) => requests.track(search, () => readHistogram(server, search, by, signal)),
    placeholderData: (before) => before,
    gcTime: 0,
  });
}

export function useHuntFacets(search: LogSearch, requests: Requests, fields: readonly string[], isWanted: boolean) {
  const { server } = useApp();
  return useQuery({
    queryKey: searchKeys.facets(search.searchId, fields),
    queryFn: ({ signal }) => requests.track(search, () => readFacets(server, search, fields, signal)),
    placeholderData: (before) => before,
    enabled: isWanted,
    gcTime: 0,
  });
}

/** Elapsed seconds of a running request; 0 if none is running. */
export function useElapsedSeconds(isUnderWay: boolean, key: string): number {
  const [seconds, setSeconds] = useState(0);
  const startMs = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run counts from its own start.
  useEffect(() => {
    setSeconds(0);
    if (!isUnderWay) return;
    startMs.current = monotonicMs();
    return every(1000, () => setSeconds(Math.round((monotonicMs() - startMs.current) / 1000)));
  }, [isUnderWay, key]);
  return seconds;
}
