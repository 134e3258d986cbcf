import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { monotonicMs, now } from "../../../app/browser/clock.ts";
import { resolveRange } from "../../../app/time/range.ts";
import type { ListPages } from "../../../design/list/list-pages.ts";
import { type ReadListPages, useListPages } from "../../../design/list/use-list-pages.ts";
import type { AlertParameters } from "./alert-filter.ts";
import { type AlertItem, type ListItem, toItem } from "./alert-item.ts";
import type { AlertsClient } from "./alerts-client.ts";
import type { AlertsState } from "./alerts-state.ts";
import { useAlertGroups } from "./use-alert-groups.ts";
import { type AlertNews, useAlertNews } from "./use-alert-news.ts";

const PAGE_LIMIT = 100;

export interface AlertList {
  pages: ListPages<ListItem>;
  flat: ReadListPages<AlertItem>;
  isGrouped: boolean;
  groupCount: number;
  total: number | undefined;
  isEstimate: boolean;
  tookMs: number | undefined;
  news: AlertNews;
  /** The current filter, with the time range of the list as instants. */
  readParameters: () => AlertParameters;
  /** Incremented when the list reloads from the beginning: other parts follow. */
  generation: number;
  reload: () => void;
  patch: (change: (item: AlertItem) => AlertItem) => void;
  toggleGroup: (key: string) => void;
  setAllGroups: (isOpen: boolean) => void;
}

/** The alerts of the address: a list, or groups of them. */
export function useAlertList(client: AlertsClient, state: AlertsState): AlertList {
  const { parameters, range, sort, by, key } = state;
  const isGrouped = by.length > 0;
  const asked = useRef<AlertParameters>(parameters);
  const [read, setRead] = useState({ tookMs: 0, isEstimate: false, generation: 0 });
  const loaded = useRef(new Set<string>());

  const takeSpan = useCallback(() => {
    const { from, to } = resolveRange(range, now());
    // Leave an open end open: the clock of the browser may be behind that of the service.
    asked.current = {
      ...parameters,
      from: from.toISOString(),
      ...(range.to !== undefined && { to: to.toISOString() }),
    };
    return asked.current;
  }, [parameters, range]);

  const readPage = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const isFirst = cursor === undefined;
      const start = monotonicMs();
      const page = await client.list(isFirst ? takeSpan() : asked.current, { sort, limit: PAGE_LIMIT, cursor }, signal);
      if (isFirst) loaded.current = new Set();
      for (const { id } of page.items) loaded.current.add(id);
      const [tookMs, isEstimate] = [monotonicMs() - start, page.total_is_estimate ?? false];
      setRead((before) => ({ tookMs, isEstimate, generation: before.generation + (isFirst ? 1 : 0) }));
      return { rows: page.items.map((alert) => toItem(alert)), next: page.next_cursor ?? undefined, total: page.total };
    },
    [client, sort, takeSpan],
  );
  const flat = useListPages<AlertItem>(key, readPage);
  const readParameters = useCallback(() => asked.current, []);
  const groups = useAlertGroups({ client, by, sort, readParameters, generation: read.generation });
  const patch = useCallback(
    (change: (item: AlertItem) => AlertItem) => {
      flat.patch(change);
      groups.patch(change);
    },
    [flat.patch, groups.patch],
  );
  const isLoaded = useCallback((id: string) => loaded.current.has(id), []);
  const news = useAlertNews({ client, readParameters, isLoaded, patch, key });
  const { clear } = news;
  const reload = useCallback(() => {
    clear();
    flat.reload();
  }, [clear, flat.reload]);
  useEffect(() => {
    for (const id of groups.ids) loaded.current.add(id);
  }, [groups.ids]);

  return useMemo(
    () => ({
      pages: isGrouped ? groups.pages : flat,
      flat,
      isGrouped,
      groupCount: groups.count,
      total: flat.total,
      isEstimate: read.isEstimate,
      tookMs: read.generation === 0 ? undefined : read.tookMs,
      news,
      readParameters,
      generation: read.generation,
      reload,
      patch,
      toggleGroup: groups.toggle,
      setAllGroups: groups.setAll,
    }),
    [isGrouped, groups, flat, read, news, readParameters, reload, patch],
  );
}
